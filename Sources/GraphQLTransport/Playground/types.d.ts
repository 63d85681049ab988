// The shapes that the playground's modules hand to each other. Offsets count UTF-16 code units from 0, as JavaScript's
// strings do; lines and columns count from 1, as the locations of GraphQL's errors do.

export interface Position {
  line: number;
  column: number;
}

export interface Span {
  start: number;
  end: number;
}

/** A remark on a part of the text. An empty span marks its place, the end of the text included. */
export interface Mark extends Span {
  message: string;
  severity: "error" | "warning";
}

export type OperationType = "query" | "mutation" | "subscription";

/** An operation of a document, found even where the document has syntax errors. */
export interface OperationInfo extends Span {
  type: OperationType;
  name: string | null;
  /** The definitions of the operation's variables, in their order. */
  variables: VariableInfo[];
}

export interface VariableInfo {
  name: string;
  /** As written, for example `[ID!]!`. */
  type: string;
  hasDefault: boolean;
}

// language/parser.js

/** Kinds and properties are those of graphql-js; `start` and `end` stand for its `loc`. */
export interface Node extends Span {
  kind: string;
  [property: string]: any;
}

export interface NameNode extends Node {
  kind: "Name";
  value: string;
}

export interface DocumentNode extends Node {
  kind: "Document";
  definitions: Node[];
}

export interface SyntaxError extends Span {
  /** In the server's words: `Syntax Error: Expected Name, found "}".` */
  message: string;
}

export interface ParseResult {
  /** The part of the text that could be parsed; the whole text where `error` is null. */
  document: DocumentNode;
  /** The first syntax error, at which the server would stop. */
  error: SyntaxError | null;
}

// language/lexer.js

/** `style` is the suffix of the CSS class that colours the token: `tok-<style>`. */
export interface LineToken extends Span {
  style: string;
}

export interface LexedLine {
  tokens: LineToken[];
  /** The state in which the next line begins. Lexing can stop at the first line whose state has not changed. */
  state: string;
}

export type LineLexer = (line: string, state: string) => LexedLine;

// language/json.js

export interface JSONNode extends Span {
  kind: "object" | "list" | "string" | "number" | "boolean" | "null" | "missing";
  value?: any;
  members?: JSONMember[];
  items?: JSONNode[];
}

export interface JSONMember {
  key: JSONNode;
  value: JSONNode;
}

export interface JSONResult {
  root: JSONNode | null;
  error: (Span & { message: string }) | null;
}

// schema/schema.js; the shapes of introspection, with names for its types.

export interface TypeRef {
  kind: string;
  name: string | null;
  ofType: TypeRef | null;
}

export interface InputDefinition {
  name: string;
  description: string | null;
  type: TypeRef;
  defaultValue: string | null;
  isDeprecated: boolean;
  deprecationReason: string | null;
}

export interface FieldDefinition {
  name: string;
  description: string | null;
  args: InputDefinition[];
  type: TypeRef;
  isDeprecated: boolean;
  deprecationReason: string | null;
}

export interface EnumValueDefinition {
  name: string;
  description: string | null;
  isDeprecated: boolean;
  deprecationReason: string | null;
}

export interface TypeDefinition {
  kind: "SCALAR" | "OBJECT" | "INTERFACE" | "UNION" | "ENUM" | "INPUT_OBJECT";
  name: string;
  description: string | null;
  specifiedByURL: string | null;
  isOneOf: boolean | null;
  fields: FieldDefinition[] | null;
  inputFields: InputDefinition[] | null;
  enumValues: EnumValueDefinition[] | null;
  interfaces: { name: string }[] | null;
  possibleTypes: { name: string }[] | null;
}

export interface DirectiveDefinition {
  name: string;
  description: string | null;
  locations: string[];
  isRepeatable: boolean;
  args: InputDefinition[];
}

export interface IntrospectionSchema {
  description: string | null;
  queryType: { name: string };
  mutationType: { name: string } | null;
  subscriptionType: { name: string } | null;
  types: TypeDefinition[];
  directives: DirectiveDefinition[];
}

/** A part of the schema that documentation can show. */
export interface SchemaLink {
  type?: string;
  /** A field, an input field or an enum value of `type`. */
  member?: string;
  argument?: string;
  directive?: string;
}

export interface SchemaUse {
  type: string;
  member: string | null;
  argument: string | null;
}

export interface SchemaMatch extends SchemaLink {
  kind: "type" | "member" | "argument" | "directive";
  /** For a list of results: `User.name`, `User.posts(first:)`, `@include`. */
  label: string;
  description: string | null;
}

// schema/completion.js, schema/variables.js, schema/hover.js

export interface CompletionItem {
  label: string;
  kind: "field" | "argument" | "input" | "value" | "variable" | "fragment" | "directive" | "type" | "keyword";
  /** Mostly the type, beside the label. */
  detail?: string;
  description?: string | null;
  deprecation?: string | null;
  /** What is inserted instead of the label; `|` in it, once, is where the caret goes. */
  insert?: string;
  /** A link for "go to" from the completion's details. */
  link?: SchemaLink;
}

/** `items` replace the text between `from` and `to`. */
export interface Completion {
  from: number;
  to: number;
  items: CompletionItem[];
}

export interface Hover extends Span {
  /** For example `User.posts(first: Int = 20): PostConnection!` */
  signature: string;
  description: string | null;
  deprecation: string | null;
  link: SchemaLink;
}

// editor/editor.js

export interface EditorOptions {
  /** The accessible name. */
  label: string;
  language: "graphql" | "json" | "text";
  value?: string;
  placeholder?: string;
  readOnly?: boolean;
  complete?: (text: string, offset: number) => Completion | null;
  hover?: (text: string, offset: number) => Hover | null;
  /** After each change of the text, at once; expensive work belongs behind a delay of the receiver's own. */
  onChange?: (text: string) => void;
  onCaret?: (offset: number) => void;
  /** Ctrl-click, F12 or the hover's link. */
  onLink?: (link: SchemaLink) => void;
  /** Answers the formatted text, or null where the text cannot be formatted. */
  format?: (text: string) => string | null;
}

/** The text, caret and undo history of one editor, kept by a tab while another is shown. */
export interface EditorState {
  text: string;
  selection: { anchor: number; head: number };
  history: any;
  folds: number[];
  scroll: { top: number; left: number };
}

/** The interface of the class in editor/editor.js. */
export interface EditorAPI {
  readonly element: HTMLElement;
  /** Reading joins the lines once a change; writing is an undoable change and leaves the caret where it can. */
  value: string;
  readonly caret: number;
  selection: { anchor: number; head: number };
  language: "graphql" | "json" | "text";
  readOnly: boolean;
  state: EditorState;
  /** Replaces a part of the text as one undoable step. */
  replace(start: number, end: number, text: string): void;
  setMarks(marks: Mark[]): void;
  readonly marks: readonly Mark[];
  /** Moves the caret, unfolds and scrolls to it, and takes the focus. */
  goTo(place: number | Position): void;
  focus(): void;
  format(): boolean;
  undo(): void;
  redo(): void;
  toggleComment(): void;
  openSearch(): void;
  openCompletion(): void;
  foldAll(): void;
  unfoldAll(): void;
  /** The commands for a palette, with their keys. */
  readonly commands: { id: string; title: string; keys: string; run: () => void }[];
  dispose(): void;
}

// The server's description of its API; every part may be missing. The page itself knows no field by its name.

export interface Description {
  title?: string;
  sessions?: SessionDescription;
  changes?: import("./panes/livelist.js").ChangeFormat;
  /** Of a refusal: `id` and `action` are the names of two variables. */
  explanation?: { query: string; id: string; action: string };
  examples?: Example[];
  /** False where something in front of the server drops `extensions`: then nothing is checked before a run. */
  check?: boolean;
}

/**
 * Operations that open, refresh and close a session. `result` has paths inside `data`; of several names the first that has
 * a value is taken.
 */
export interface SessionDescription {
  open: SessionAction[];
  /** The variable takes the refresh token. */
  refresh?: { query: string; variable: string };
  close?: { query: string };
  result: { token: string; expires?: string; refresh?: string; names?: string[]; errors?: string };
}

export interface SessionAction {
  label: string;
  query: string;
  explanation?: string;
  fields?: { name: string; label: string; isSecret?: boolean; autocomplete?: string }[];
}

export interface Example {
  title: string;
  about?: string;
  query: string;
  variables?: Record<string, unknown>;
  isLive?: boolean;
}
