import CLibpq

/// The hosts that a connection string names, and its other keywords.
struct HostList {
    private let keywords: [(name: String, value: String)]
    private let names: [String]
    private let addresses: [String]
    private let ports: [String]

    init(_ connectionString: String) {
        var keywords: [(name: String, value: String)] = []
        if let options = PQconninfoParse(connectionString, nil) {
            var option = options
            while let name = option.pointee.keyword {
                if let value = option.pointee.val {
                    keywords.append((String(cString: name), String(cString: value)))
                }
                option += 1
            }
            PQconninfoFree(options)
        }
        func list(_ name: String) -> [String] {
            keywords.first { $0.name == name && !$0.value.isEmpty }.map {
                $0.value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            } ?? []
        }
        names = list("host")
        addresses = list("hostaddr")
        ports = list("port")
        self.keywords = keywords
    }

    /// At least 1: without a name, libpq takes its default.
    var count: Int { max(1, names.count, addresses.count) }

    func value(of keyword: String) -> String? { keywords.first { $0.name == keyword }?.value }

    /// The keywords of the connection string, with one of its hosts alone. libpq would take an empty value for a
    /// missing one, so a missing name, address or port has no keyword, and gets libpq's default as in a list.
    func keywords(of host: Int) -> [(String, String)] {
        let own = [("host", names), ("hostaddr", addresses), ("port", ports)].compactMap { name, values in
            let value = values.count == count ? values[host] : values.first
            return value.flatMap { $0.isEmpty ? nil : (name, $0) }
        }
        return keywords.filter { !["host", "hostaddr", "port"].contains($0.name) }.map { ($0.name, $0.value) } + own
    }
}
