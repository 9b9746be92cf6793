// Truth about calls in TypeScript and JavaScript: what the TypeScript checker says each call site of a tree calls, as JSON lines.
//
//     typescript.cjs TYPESCRIPT TREE [EXTENSION…]
//
// A row is a call site or a definition; `xtask/src/accuracy/oracle/rows.rs` describes both.
"use strict";

const fs = require("node:fs");
const path = require("node:path");

const ts = require(process.argv[2]);
const tree = fs.realpathSync(process.argv[3]);
const extensions = process.argv.length > 4 ? process.argv.slice(4) : [".ts", ".tsx", ".mts", ".cts"];
const scripted = extensions.includes(".js");

const files = list(tree).sort();
const program = ts.createProgram(files, {
  allowJs: scripted,
  checkJs: false,
  esModuleInterop: true,
  experimentalDecorators: true,
  jsx: ts.JsxEmit.Preserve,
  module: scripted ? ts.ModuleKind.CommonJS : ts.ModuleKind.ESNext,
  moduleResolution: scripted ? ts.ModuleResolutionKind.Node10 : ts.ModuleResolutionKind.Bundler,
  noEmit: true,
  skipLibCheck: true,
  strict: true,
  target: ts.ScriptTarget.ESNext,
  types: [],
});
const checker = program.getTypeChecker();
const own = new Set(files);
const overridden = new Map();

for (const file of files) {
  const source = program.getSourceFile(file);
  if (source) relate(source);
}
structural();
for (const file of files) {
  const source = program.getSourceFile(file);
  if (source) visit(source, source);
}
for (const [place, { file, line, name, overrides }] of [...overridden].sort(([a], [b]) => (a < b ? -1 : 1))) {
  if (overrides.size > 0) print({ definition: { file, line, name, overrides: [...overrides].sort(), unknown: false } });
}

function list(directory) {
  const found = [];
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
    const full = path.join(directory, entry.name);
    if (entry.isDirectory() && entry.name !== "node_modules") found.push(...list(full));
    const wanted = extensions.some((extension) => entry.name.endsWith(extension)) && !/\.d\.[cm]?ts$/.test(entry.name);
    if (entry.isFile() && wanted) found.push(full);
  }
  return found;
}

function print(row) {
  fs.writeSync(1, `${JSON.stringify(row)}\n`);
}

// Every call site below a node, in the order of the text.
function visit(node, source) {
  if (ts.isCallExpression(node) || ts.isNewExpression(node) || ts.isTaggedTemplateExpression(node)) {
    const row = site(node, source);
    if (row) print({ site: row });
  }
  ts.forEachChild(node, (child) => visit(child, source));
}

function site(node, source) {
  const callee = ts.isTaggedTemplateExpression(node) ? node.tag : node.expression;
  if (callee.kind === ts.SyntaxKind.ImportKeyword) return undefined;
  const inner = unwrapped(callee);
  const named = ts.isPropertyAccessExpression(inner) ? inner.name : inner;
  const at = source.getLineAndCharacterOfPosition(named.getStart(source));
  const start = source.getLineAndCharacterOfPosition(node.getStart(source));
  const declarations = called(node, named);
  const targets = declarations && unique(declarations.map(target).filter(Boolean));
  return {
    file: relative(source.fileName),
    line: at.line + 1,
    start: start.line + 1,
    column: at.character + 1,
    name: callee.kind === ts.SyntaxKind.SuperKeyword ? "super" : ts.isIdentifier(named) || ts.isPrivateIdentifier(named) ? named.text : "",
    construct: construct(node, inner, targets?.[0]?.declaration),
    targets: (targets ?? []).map(({ declaration, ...rest }) => rest),
    whole: Boolean(targets && targets.length > 0 && targets.length === unique(declarations.map(target)).length),
  };
}

// The declarations of what a call site calls; nothing if it is a value that has no definition.
function called(node, named) {
  const symbol = resolved(checker.getSymbolAtLocation(named));
  const members = (symbol?.declarations ?? []).filter(isFunctionLike);
  const signature = checker.getResolvedSignature(node);
  const declaration = signature?.declaration;
  if (declaration && isFunctionLike(declaration)) {
    // A receiver of several types has several declarations.
    return members.includes(declaration) ? members : [declaration];
  }
  if (members.length > 0) return members;
  if (ts.isNewExpression(node) || named.kind === ts.SyntaxKind.SuperKeyword) {
    const made = signature && resolved(signature.getReturnType().symbol);
    const classes = (made?.declarations ?? []).filter(ts.isClassLike);
    // A constructor that nobody wrote runs nothing when a subclass calls it.
    if (classes.length > 0 && (ts.isNewExpression(node) || classes.some(isConstructed))) return classes;
  }
  return undefined;
}

function isConstructed(declaration) {
  return isForeign(declaration) || again(declaration).some(ts.isConstructorDeclaration);
}

function resolved(symbol) {
  return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function isFunctionLike(node) {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isFunctionExpression(node) ||
    ts.isArrowFunction(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isMethodSignature(node) ||
    ts.isConstructorDeclaration(node) ||
    ts.isConstructSignatureDeclaration(node) && isForeign(node)
  );
}

function isForeign(node) {
  return !own.has(node.getSourceFile().fileName);
}

function target(declaration) {
  const owner = ownerName(declaration);
  const constructor = ts.isConstructorDeclaration(declaration) || ts.isClassLike(declaration) || ts.isConstructSignatureDeclaration(declaration);
  const name = constructor ? (owner ?? "") : nameOf(declaration);
  const base = { name, owner: constructor ? null : owner, constructor, declaration };
  if (isForeign(declaration)) {
    return { ...base, outside: true, places: [], keys: [`outside:${owner ?? ""}.${name}`] };
  }
  const all = again(declaration);
  const places = all.flatMap(placesOf);
  const keys = all.map(keyOf);
  return { ...base, places, keys, implicit: ts.isClassLike(declaration), abstract: all.every((found) => !found.body && !ts.isClassLike(found)) };
}

// All declarations of one function: its overloads and its body. A constructor that is not written is the nearest one above.
function again(declaration) {
  if (ts.isClassLike(declaration)) {
    const found = [declaration];
    for (let at = declaration, depth = 0; at && depth < 32; depth += 1) {
      const written = at.members.filter(ts.isConstructorDeclaration);
      if (written.length > 0) return [...found, ...written];
      const base = at.heritageClauses?.find((clause) => clause.token === ts.SyntaxKind.ExtendsKeyword)?.types[0];
      at = base && resolved(checker.getSymbolAtLocation(base.expression))?.declarations?.find((found) => ts.isClassLike(found) && !isForeign(found));
    }
    return found;
  }
  if (ts.isConstructorDeclaration(declaration)) {
    return [...declaration.parent.members.filter(ts.isConstructorDeclaration), declaration.parent];
  }
  const symbol = declaration.symbol;
  const found = (symbol?.declarations ?? []).filter((other) => isFunctionLike(other) && !isForeign(other));
  return found.includes(declaration) ? found : [declaration];
}

// Where a declaration may be said to be: at its name, at the name that it is bound to, and where it begins.
function placesOf(declaration) {
  const source = declaration.getSourceFile();
  const name = declaration.name ?? bound(declaration);
  const lines = [name, declaration].filter(Boolean).map((node) => lineOf(source, node));
  return [...new Set(lines)].map((line) => [relative(source.fileName), line]);
}

function lineOf(source, node) {
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}

function keyOf(declaration) {
  const source = declaration.getSourceFile();
  const name = declaration.name ?? bound(declaration) ?? declaration;
  return `${relative(source.fileName)}:${lineOf(source, name)}`;
}

// The name that a function without one is bound to.
function bound(declaration) {
  let parent = declaration.parent;
  while (parent && (ts.isParenthesizedExpression(parent) || ts.isAsExpression(parent))) parent = parent.parent;
  if (!parent) return undefined;
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent)) return parent.name;
  if (ts.isBinaryExpression(parent)) return ts.isPropertyAccessExpression(parent.left) ? parent.left.name : parent.left;
  return undefined;
}

function nameOf(declaration) {
  const name = declaration.name ?? bound(declaration);
  return name && (ts.isIdentifier(name) || ts.isStringLiteral(name) || ts.isPrivateIdentifier(name)) ? name.text : "";
}

function ownerName(declaration) {
  const owner = ts.isClassLike(declaration) ? declaration : declaration.parent;
  const isOwner = owner && (ts.isClassLike(owner) || ts.isInterfaceDeclaration(owner));
  return isOwner ? (owner.name?.text ?? null) : null;
}

// What the members of the types and of the object literals of a file override.
function relate(node) {
  if (ts.isClassLike(node) || ts.isInterfaceDeclaration(node)) {
    for (const base of bases(node)) overrideFrom(node, base);
  }
  if (ts.isObjectLiteralExpression(node)) {
    const type = checker.getContextualType(node);
    if (type) overrideFrom(node, type);
  }
  ts.forEachChild(node, relate);
}

function bases(node) {
  return (node.heritageClauses ?? []).flatMap((clause) => clause.types.map((base) => checker.getTypeAtLocation(base)));
}

function overrideFrom(node, type) {
  for (const member of node.members ?? node.properties) {
    const name = member.name && ts.isIdentifier(member.name) ? member.name.text : undefined;
    if (!name) continue;
    const parts = type.isUnion() ? type.types : [type];
    for (const part of parts) note(member, above(part, name));
  }
}

// The declarations of a member in a type and in everything above it.
function above(type, name, depth = 0) {
  const found = [...(checker.getPropertyOfType(type, name)?.declarations ?? [])];
  const declared = [type.symbol, type.aliasSymbol].flatMap((symbol) => symbol?.declarations ?? []);
  if (depth < 16) {
    for (const declaration of declared) {
      if (!ts.isClassLike(declaration) && !ts.isInterfaceDeclaration(declaration)) continue;
      for (const base of bases(declaration)) found.push(...above(base, name, depth + 1));
    }
  }
  return found;
}

function note(member, declarations) {
  const value = member.initializer && isFunctionLike(member.initializer) ? member.initializer : member;
  const place = keyOf(value);
  const entry = overridden.get(place) ?? {
    file: relative(member.getSourceFile().fileName),
    line: Number(place.slice(place.lastIndexOf(":") + 1)),
    name: member.name.text,
    overrides: new Set(),
  };
  overridden.set(place, entry);
  for (const declaration of declarations) {
    const initial = declaration.initializer;
    const found = initial && isFunctionLike(initial) ? initial : declaration;
    if (found === value) continue;
    entry.overrides.add(isForeign(found) ? `outside:${ownerName(found) ?? ""}.${member.name.text}` : keyOf(found));
  }
}

// A class or an object literal can be passed where an interface is wanted without naming it.
function structural() {
  const classes = [];
  const interfaces = [];
  const collect = (node) => {
    if (ts.isClassLike(node)) classes.push(node);
    if (ts.isObjectLiteralExpression(node) && node.properties.some(holdsFunction)) classes.push(node);
    if (ts.isInterfaceDeclaration(node) && !node.typeParameters) interfaces.push(node);
    ts.forEachChild(node, collect);
  };
  for (const file of files) {
    const source = program.getSourceFile(file);
    if (source) collect(source);
  }
  for (const made of classes) {
    const instance = checker.getTypeAtLocation(made);
    for (const wanted of interfaces) {
      const type = checker.getTypeAtLocation(wanted);
      if (wanted.members.some(ts.isMethodSignature) && checker.isTypeAssignableTo(instance, type)) overrideFrom(made, type);
    }
  }
}

function holdsFunction(member) {
  return ts.isMethodDeclaration(member) || (ts.isPropertyAssignment(member) && isFunctionLike(unwrapped(member.initializer)));
}

function unique(targets) {
  const seen = new Set();
  return targets.filter((found) => {
    const text = found && JSON.stringify([found.places, found.keys]);
    return !seen.has(text) && seen.add(text);
  });
}

function relative(file) {
  return path.relative(tree, file).split(path.sep).join("/");
}

function unwrapped(node) {
  while (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node) || ts.isAsExpression(node)) node = node.expression;
  return node;
}

// The form of a call site, for groups of misses.
function construct(node, callee, declaration) {
  const what = ts.isNewExpression(node) ? "new" : ts.isTaggedTemplateExpression(node) ? "tag" : "call";
  const abstract = declaration && ts.isMethodSignature(declaration) ? ", declared in an interface" : "";
  if (callee.kind === ts.SyntaxKind.SuperKeyword) return "call of super";
  if (ts.isIdentifier(callee)) return `${what} of ${nameShape(callee)}${abstract}`;
  if (ts.isPropertyAccessExpression(callee)) return `${what} of a member of ${valueShape(unwrapped(callee.expression))}${abstract}`;
  if (ts.isElementAccessExpression(callee)) return `${what} of an entry${abstract}`;
  if (ts.isCallExpression(callee)) return `${what} of a call's result${abstract}`;
  if (isFunctionLike(callee)) return `${what} of a function where it is written`;
  return `${what} of another expression${abstract}`;
}

function valueShape(node) {
  if (node.kind === ts.SyntaxKind.ThisKeyword) return "this";
  if (node.kind === ts.SyntaxKind.SuperKeyword) return "super";
  if (ts.isIdentifier(node)) return nameShape(node);
  if (ts.isPropertyAccessExpression(node)) {
    return unwrapped(node.expression).kind === ts.SyntaxKind.ThisKeyword ? "a field of this" : "a field";
  }
  if (ts.isCallExpression(node)) return "a call's result";
  if (ts.isElementAccessExpression(node)) return "an entry";
  if (ts.isAwaitExpression(node)) return "an awaited value";
  if (ts.isNewExpression(node)) return "a new object";
  return "another expression";
}

function nameShape(node) {
  const symbol = checker.getSymbolAtLocation(node);
  const declaration = symbol?.declarations?.[0];
  if (!declaration) return "a name";
  if (ts.isImportSpecifier(declaration) || ts.isImportClause(declaration)) return "an imported name";
  if (ts.isNamespaceImport(declaration) || ts.isImportEqualsDeclaration(declaration)) return "an imported module";
  if (ts.isParameter(declaration)) return `a parameter ${declaration.type ? "with" : "without"} a type`;
  if (ts.isBindingElement(declaration)) return "a name of a pattern";
  if (ts.isFunctionDeclaration(declaration)) return "a function";
  if (ts.isClassLike(declaration)) return "a class";
  if (ts.isVariableDeclaration(declaration)) {
    const list = declaration.parent.parent;
    if (list && (ts.isForOfStatement(list) || ts.isForInStatement(list))) return "a loop variable";
    const initial = declaration.initializer && unwrapped(declaration.initializer);
    if (initial && isFunctionLike(initial)) return "a variable that holds a function";
    if (initial && ts.isCallExpression(initial) && ts.isIdentifier(initial.expression) && initial.expression.text === "require") return "a required module";
    return `a variable ${declaration.type ? "with" : "without"} a type`;
  }
  return "a name";
}
