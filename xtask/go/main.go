// Truth about calls in Go: what go/types says each call site of a tree calls, as JSON lines.
//
//	judge TREE [DIRECTORY…]
//
// A row is a call site or a definition; xtask/src/accuracy/oracle/rows.rs describes both. Packages of the tree are type-checked from
// their source, and so are those of the standard library. Any other package is empty: what depends on it is not decided.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

type target struct {
	Name    string   `json:"name"`
	Owner   string   `json:"owner,omitempty"`
	Outside bool     `json:"outside,omitempty"`
	Places  [][2]any `json:"places"`
	Keys    []string `json:"keys"`
}

type site struct {
	File      string   `json:"file"`
	Line      int      `json:"line"`
	Name      string   `json:"name"`
	Construct string   `json:"construct"`
	Targets   []target `json:"targets"`
	Whole     bool     `json:"whole"`
}

type definition struct {
	File      string   `json:"file"`
	Line      int      `json:"line"`
	Overrides []string `json:"overrides"`
}

// A package of the tree.
type unit struct {
	files   []*ast.File
	checked *types.Package
	info    *types.Info
	busy    bool
}

type judge struct {
	tree     string
	module   string
	set      *token.FileSet
	units    map[string]*unit
	foreign  map[string]*types.Package
	standard types.Importer
	out      *bufio.Writer
}

func main() {
	tree, err := filepath.EvalSymlinks(os.Args[1])
	if err != nil {
		fail(err)
	}
	set := token.NewFileSet()
	judge := &judge{
		tree:     tree,
		set:      set,
		units:    map[string]*unit{},
		foreign:  map[string]*types.Package{},
		standard: importer.ForCompiler(set, "source", nil),
		out:      bufio.NewWriter(os.Stdout),
	}
	// Without cgo every package of the standard library has its source in Go.
	build.Default.CgoEnabled = false
	judge.module = module(tree)
	if err := judge.parse(); err != nil {
		fail(err)
	}
	paths := make([]string, 0, len(judge.units))
	for path := range judge.units {
		paths = append(paths, path)
	}
	sort.Strings(paths)
	for _, path := range paths {
		judge.check(path)
	}
	for _, path := range paths {
		judge.printSites(judge.units[path])
	}
	judge.printDefinitions(paths)
	judge.out.Flush()
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// module reads the path of the module; the name of the directory if there is no go.mod.
func module(tree string) string {
	text, err := os.ReadFile(filepath.Join(tree, "go.mod"))
	if err == nil {
		for _, line := range strings.Split(string(text), "\n") {
			if rest, found := strings.CutPrefix(strings.TrimSpace(line), "module "); found {
				return strings.Trim(strings.TrimSpace(rest), `"`)
			}
		}
	}
	return filepath.Base(tree)
}

// parse reads every package of the tree that builds on this system.
func (j *judge) parse() error {
	return filepath.WalkDir(j.tree, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() && path != j.tree && (name == "vendor" || name == "testdata" || name[0] == '.' || name[0] == '_') {
			return fs.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		directory := filepath.Dir(path)
		if matches, err := build.Default.MatchFile(directory, name); err != nil || !matches {
			return nil
		}
		file, _ := parser.ParseFile(j.set, path, nil, parser.SkipObjectResolution)
		if file == nil {
			return nil
		}
		below, err := filepath.Rel(j.tree, directory)
		if err != nil {
			return err
		}
		full := j.module
		if below != "." {
			full += "/" + filepath.ToSlash(below)
		}
		// Tests of a package from outside are a package of their own.
		if strings.HasSuffix(file.Name.Name, "_test") {
			full += " [test]"
		}
		if j.units[full] == nil {
			j.units[full] = &unit{}
		}
		j.units[full].files = append(j.units[full].files, file)
		return nil
	})
}

// Import gives a package to the type checker.
func (j *judge) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if unit := j.units[path]; unit != nil {
		if unit.busy {
			return nil, fmt.Errorf("%s imports itself", path)
		}
		return j.check(path), nil
	}
	if known := j.foreign[path]; known != nil {
		return known, nil
	}
	first, _, _ := strings.Cut(path, "/")
	if !strings.Contains(first, ".") {
		if found, err := j.standard.Import(path); err == nil {
			j.foreign[path] = found
			return found, nil
		}
	}
	empty := types.NewPackage(path, filepath.Base(path))
	empty.MarkComplete()
	j.foreign[path] = empty
	return empty, nil
}

func (j *judge) check(path string) *types.Package {
	unit := j.units[path]
	if unit.checked != nil {
		return unit.checked
	}
	unit.busy = true
	unit.info = &types.Info{
		Types:      map[ast.Expr]types.TypeAndValue{},
		Uses:       map[*ast.Ident]types.Object{},
		Defs:       map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
		Implicits:  map[ast.Node]types.Object{},
	}
	// Errors are expected where a package from elsewhere is empty.
	config := types.Config{Importer: j, Error: func(error) {}, FakeImportC: true}
	unit.checked, _ = config.Check(path, j.set, unit.files, unit.info)
	unit.busy = false
	return unit.checked
}

func (j *judge) printSites(unit *unit) {
	for _, file := range unit.files {
		ast.Inspect(file, func(node ast.Node) bool {
			call, ok := node.(*ast.CallExpr)
			if !ok {
				return true
			}
			if value, known := unit.info.Types[call.Fun]; known && (value.IsType() || value.IsBuiltin()) {
				return true
			}
			j.print("site", j.site(unit, call))
			return true
		})
	}
}

func (j *judge) site(unit *unit, call *ast.CallExpr) site {
	callee := ast.Unparen(call.Fun)
	switch indexed := callee.(type) {
	case *ast.IndexExpr:
		callee = ast.Unparen(indexed.X)
	case *ast.IndexListExpr:
		callee = ast.Unparen(indexed.X)
	}
	var name *ast.Ident
	switch found := callee.(type) {
	case *ast.Ident:
		name = found
	case *ast.SelectorExpr:
		name = found.Sel
	}
	position := j.set.Position(call.Pos())
	row := site{Construct: j.construct(unit, callee), Targets: []target{}}
	if name != nil {
		position = j.set.Position(name.Pos())
		row.Name = name.Name
		if function, ok := unit.info.Uses[name].(*types.Func); ok {
			row.Targets = append(row.Targets, j.target(function.Origin()))
			row.Whole = true
		}
	}
	row.File, row.Line = j.relative(position.Filename), position.Line
	return row
}

func (j *judge) relative(file string) string {
	below, err := filepath.Rel(j.tree, file)
	if err != nil {
		return file
	}
	return filepath.ToSlash(below)
}

func (j *judge) isOutside(object types.Object) bool {
	file := j.set.Position(object.Pos()).Filename
	return file == "" || !strings.HasPrefix(file, j.tree+string(filepath.Separator))
}

func (j *judge) key(object types.Object) string {
	position := j.set.Position(object.Pos())
	if j.isOutside(object) {
		return "outside:" + object.String()
	}
	return fmt.Sprintf("%s:%d", j.relative(position.Filename), position.Line)
}

func (j *judge) target(function *types.Func) target {
	found := target{Name: function.Name(), Owner: owner(function), Places: [][2]any{}, Keys: []string{j.key(function)}}
	if j.isOutside(function) {
		found.Outside = true
		return found
	}
	position := j.set.Position(function.Pos())
	found.Places = append(found.Places, [2]any{j.relative(position.Filename), position.Line})
	return found
}

func owner(function *types.Func) string {
	receiver := function.Type().(*types.Signature).Recv()
	if receiver == nil {
		return ""
	}
	return typeName(receiver.Type())
}

func typeName(kind types.Type) string {
	if pointer, ok := kind.(*types.Pointer); ok {
		kind = pointer.Elem()
	}
	if named, ok := kind.(*types.Named); ok {
		return named.Obj().Name()
	}
	return ""
}

// construct names the form of a call site, for groups of misses.
func (j *judge) construct(unit *unit, callee ast.Expr) string {
	switch found := callee.(type) {
	case *ast.Ident:
		if _, ok := unit.info.Uses[found].(*types.Func); ok {
			return "call of a function"
		}
		return "call of a value"
	case *ast.SelectorExpr:
		if name, ok := found.X.(*ast.Ident); ok {
			if _, ok := unit.info.Uses[name].(*types.PkgName); ok {
				return "call of a function of a package"
			}
		}
		suffix := ""
		if selection := unit.info.Selections[found]; selection != nil {
			if selection.Kind() == types.FieldVal {
				return "call of a field"
			}
			if types.IsInterface(selection.Recv()) {
				suffix = ", of an interface"
			} else if len(selection.Index()) > 1 {
				suffix = ", of an embedded type"
			}
		}
		return "call of a method of " + value(unit, found.X) + suffix
	case *ast.FuncLit:
		return "call of a function where it is written"
	}
	return "call of another expression"
}

func value(unit *unit, expression ast.Expr) string {
	switch found := ast.Unparen(expression).(type) {
	case *ast.Ident:
		variable, ok := unit.info.Uses[found].(*types.Var)
		if !ok {
			return "a type"
		}
		if variable.Parent() == variable.Pkg().Scope() {
			return "a variable of a package"
		}
		return "a variable"
	case *ast.SelectorExpr:
		return "a field"
	case *ast.CallExpr:
		return "a call's result"
	case *ast.IndexExpr:
		return "an entry"
	case *ast.TypeAssertExpr:
		return "a type assertion"
	case *ast.CompositeLit, *ast.UnaryExpr:
		return "a literal"
	}
	return "another expression"
}

// printDefinitions prints which methods implement those of interfaces.
func (j *judge) printDefinitions(paths []string) {
	var named, interfaces []*types.Named
	seen := map[*types.Package]bool{}
	collect := func(checked *types.Package, all bool) {
		if checked == nil || seen[checked] {
			return
		}
		seen[checked] = true
		for _, name := range checked.Scope().Names() {
			object, ok := checked.Scope().Lookup(name).(*types.TypeName)
			if !ok || object.IsAlias() {
				continue
			}
			found, ok := object.Type().(*types.Named)
			if !ok || found.TypeParams().Len() > 0 {
				continue
			}
			if types.IsInterface(found) {
				interfaces = append(interfaces, found)
			} else if all {
				named = append(named, found)
			}
		}
	}
	for _, path := range paths {
		collect(j.units[path].checked, true)
	}
	for _, imported := range j.foreign {
		collect(imported, false)
	}
	rows := map[string]*definition{}
	for _, concrete := range named {
		pointer := types.NewPointer(concrete)
		methods := types.NewMethodSet(pointer)
		for _, wanted := range interfaces {
			kind := wanted.Underlying().(*types.Interface)
			if kind.NumMethods() == 0 || !types.Implements(pointer, kind) {
				continue
			}
			for number := 0; number < kind.NumMethods(); number++ {
				above := kind.Method(number)
				selection := methods.Lookup(above.Pkg(), above.Name())
				if selection == nil || j.isOutside(selection.Obj()) {
					continue
				}
				own := j.key(selection.Obj())
				if rows[own] == nil {
					position := j.set.Position(selection.Obj().Pos())
					rows[own] = &definition{File: j.relative(position.Filename), Line: position.Line}
				}
				rows[own].Overrides = append(rows[own].Overrides, j.key(above))
			}
		}
	}
	keys := make([]string, 0, len(rows))
	for key := range rows {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	for _, key := range keys {
		sort.Strings(rows[key].Overrides)
		j.print("definition", rows[key])
	}
}

func (j *judge) print(kind string, row any) {
	text, err := json.Marshal(map[string]any{kind: row})
	if err != nil {
		fail(err)
	}
	j.out.Write(text)
	j.out.WriteByte('\n')
}
