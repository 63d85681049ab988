"""Random documents for a schema: valid ones, and ones that are broken at a place or two."""

from graphql import (
    GraphQLEnumType, GraphQLInputObjectType, GraphQLList, GraphQLNonNull, get_named_type, is_abstract_type,
    is_composite_type, is_required_argument, is_required_input_field,
)
from graphql.language import Lexer, Source, TokenKind

PUNCTUATORS = ["{", "}", "(", ")", "[", "]", ":", "!", "$", "@", "...", "|", "&"]
# Some of them are no tokens at all.
VALUES = ["1", "-0", "1.5", '"s"', "true", "null", "$v0", "$nope", "01", "1e", '"', "?", "-", ".5", '"\\x"']


class RandomDocuments:
    """The same seed gives the same documents."""

    def __init__(self, schema, random):
        self.schema = schema
        self.random = random
        self.aliases = 0
        self.names = sorted(
            {field for type in schema.type_map.values() if hasattr(type, "fields") for field in type.fields}
            | set(schema.type_map) | {"include", "skip", "on", "query", "a", "b"})

    def document(self):
        self.variables, self.fragments, self.fragment_count = {}, [], 0
        operation = self.random.choices(["query", "mutation", "subscription"], [8, 1, 1])[0]
        root = getattr(self.schema, f"{operation}_type")
        if not root:
            operation, root = "query", self.schema.query_type
        selections = self.selections(root, 0, 1 if operation == "subscription" else self.random.randint(1, 4))
        variables = ", ".join(f"${name}: {type}" for name, type in self.variables.items())
        head = f"{operation} Q" + (f"({variables})" if variables else "")
        return "\n".join([f"{head} {selections}", *self.fragments])

    def selections(self, type, depth, count=None):
        chosen = [self.selection(type, depth) for _ in range(count or self.random.randint(1, 3))]
        return "{ " + " ".join(chosen) + " }"

    def selection(self, type, depth):
        kind = self.random.random()
        if depth and kind < 0.1:
            return "__typename"
        if depth and depth < 5 and kind < 0.25:
            target = self.fragment_type(type)
            if kind < 0.15:
                return f"... on {target.name}{self.directives(depth)} {self.selections(target, depth + 1)}"
            if kind < 0.2:
                return f"...{self.directives(depth)} {self.selections(type, depth + 1)}"
            self.fragment_count += 1
            name = f"F{self.fragment_count}"
            self.fragments.append(f"fragment {name} on {target.name} {self.selections(target, depth + 1)}")
            return f"...{name}{self.directives(depth)}"
        fields = getattr(type, "fields", {})
        fields = {n: f for n, f in fields.items() if depth < 6 or not is_composite_type(get_named_type(f.type))}
        if not fields:
            return "__typename"
        name, field = self.random.choice(list(fields.items()))
        # One alias a use: what is merged by chance would seldom be mergeable.
        self.aliases += 1
        alias = f"a{self.aliases}: " if field.args or self.random.random() < 0.3 else ""
        text = alias + name + self.arguments(field.args, is_required_argument) + self.directives(depth)
        inner = get_named_type(field.type)
        return f"{text} {self.selections(inner, depth + 1)}" if is_composite_type(inner) else text

    def fragment_type(self, type):
        if is_abstract_type(type):
            return self.random.choice(list(self.schema.get_possible_types(type)))
        return type

    def directives(self, depth):
        if not depth or self.random.random() > 0.1:
            return ""
        return f" @{self.random.choice(['include', 'skip'])}(if: {self.random.choice(['true', 'false'])})"

    def arguments(self, definitions, is_required):
        given = [
            f"{name}: {self.value(argument.type)}"
            for name, argument in definitions.items() if is_required(argument) or self.random.random() < 0.6
        ]
        return f"({', '.join(given)})" if given else ""

    def value(self, type, depth=0):
        if depth == 0 and self.random.random() < 0.25:
            name = f"v{len(self.variables)}"
            self.variables[name] = str(type)
            return f"${name}"
        if isinstance(type, GraphQLNonNull):
            return self.value(type.of_type, depth + 1)
        if depth == 0 and self.random.random() < 0.1:
            return "null"
        if isinstance(type, GraphQLList):
            return f"[{', '.join(self.value(type.of_type, depth + 1) for _ in range(self.random.randint(0, 2)))}]"
        if isinstance(type, GraphQLInputObjectType):
            given = [
                f"{name}: {self.value(field.type, depth + 1)}" for name, field in type.fields.items()
                if is_required_input_field(field) or (depth < 3 and self.random.random() < 0.4)
            ]
            return "{" + ", ".join(given) + "}"
        if isinstance(type, GraphQLEnumType):
            return self.random.choice(list(type.values))
        return self.scalar(type)

    def scalar(self, type):
        match type.name:
            case "Int":
                return str(self.random.randint(-5, 1000))
            case "Float":
                return self.random.choice(["0", "-1.5", "2e3"])
            case "Boolean":
                return self.random.choice(["true", "false"])
            case _:
                return self.random.choice(['"text"', '"\\u00e9 \\n"', '"""block"""', '""'])

    def broken(self, document):
        """One to three tokens are taken out, repeated, exchanged or replaced."""
        tokens = tokens_of(document)
        for _ in range(self.random.randint(1, 3)):
            if len(tokens) < 2:
                break
            place = self.random.randrange(len(tokens))
            match self.random.randrange(6):
                case 0:
                    del tokens[place]
                case 1:
                    tokens.insert(place, tokens[place])
                case 2:
                    other = self.random.randrange(len(tokens))
                    tokens[place], tokens[other] = tokens[other], tokens[place]
                case 3:
                    tokens[place] = self.random.choice(PUNCTUATORS)
                case 4:
                    tokens[place] = self.random.choice(VALUES)
                case 5:
                    # A name for a name: mostly what parses and does not validate.
                    names = [index for index, token in enumerate(tokens) if token[0].isalpha() or token[0] == "_"]
                    if names:
                        tokens[self.random.choice(names)] = self.random.choice(self.names)
        return " ".join(tokens)


def tokens_of(document):
    lexer, tokens = Lexer(Source(document)), []
    while (token := lexer.advance()).kind is not TokenKind.EOF:
        tokens.append(document[token.start:token.end])
    return tokens
