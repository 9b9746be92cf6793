import Foundation
//> import * from Foundation *
@testable import MyApp
//> import * from MyApp *
import class UIKit.UIView
//> import UIView from UIKit UIView
import func Darwin.C.isatty
//> import isatty from Darwin.C isatty
import struct Swift.Array
//> import Array from Swift Array
import os.log
//> import * from os.log *
@_exported import Core
//> import * from Core *
@preconcurrency public import Networking
//> import * from Networking *
#if canImport(UIKit)
import UIKit
//> import * from UIKit *
#elseif canImport(AppKit)
import AppKit
//> import * from AppKit *
#endif
