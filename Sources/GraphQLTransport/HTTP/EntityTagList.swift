/// The list of an If-None-Match header.
/// Source: RFC 9110, 13.1.2, by weak comparison
public enum EntityTagList {
    /// True where the list has `*` or the entity tag, which includes its quotes.
    public static func names(_ list: String, _ entityTag: String) -> Bool {
        list.split(separator: ",").contains { element in
            let tag = element.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
            return tag == "*" || (tag.hasPrefix("W/") ? tag.dropFirst(2) : tag) == entityTag
        }
    }
}
