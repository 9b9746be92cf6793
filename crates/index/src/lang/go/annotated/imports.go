// Package imports shows each form of import.
package imports

import "strings"
//> import strings from strings -
import f "fmt"
//> import f from fmt -
import "net/http"
//> import http from net/http -
import . "math"
//> import * from math *
import _ "embed"
//> import - from embed -

import (
	"os"
//> import os from os -
	"path/filepath"
//> import filepath from path/filepath -
	str "strconv"
//> import str from strconv -

	// A comment in between.
	. "errors"
//> import * from errors *
	_ "image/png"
//> import - from image/png -
	"example.com/acme/widgets" // trailing words
//> import widgets from example.com/acme/widgets -
	w2 "example.com/acme/widgets/second"
//> import w2 from example.com/acme/widgets/second -
	`io`
//> import io from io -
)

// notAnImport only holds text.
const notAnImport = `
//> constant notAnImport vis=internal doc="notAnImport only holds text."
import "unsafe"
import u "unicode"
`

func useAll(r io.Reader) string {
//> function useAll vis=internal cc=1 col=6 end=3 sig="func useAll(r io.Reader) string"
	f.Println(strings.ToUpper("x"), http.MethodGet, Pi, New("y"))
	return filepath.Join(os.TempDir(), str.Itoa(widgets.Count+w2.Count))
}
