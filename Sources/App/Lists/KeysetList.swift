import Postgres

/// A list that is sorted by a key, and by an id among equal keys: the SQL of its pages.
///
/// A subselect limits the rows, so that joins and computed columns cost work for the rows of the page alone.
struct KeysetList {
    enum KeyType {
        case timestamp, int32, int64
    }

    /// The columns that a list is sorted by.
    struct Columns {
        let key: StaticString
        /// nil where no two keys are equal.
        let id: StaticString?

        init(_ key: StaticString, _ id: StaticString? = nil) { (self.key, self.id) = (key, id) }
    }

    private let page: Page
    private let columns: Columns
    private let type: KeyType
    private let order: SQL
    private let orderOfPage: SQL

    /// - Parameters:
    ///   - columns: the sort columns by their names in the subselect.
    ///   - pageColumns: the sort columns by their names in the page's rows; nil if the names are the same.
    init(
        _ page: Page, by columns: Columns, as pageColumns: Columns? = nil, type: KeyType = .timestamp
    ) {
        self.page = page
        self.columns = columns
        self.type = type
        let direction: StaticString = page.order.isDescending == page.isBackward ? "asc" : "desc"
        let order = columns.sql(direction)
        self.order = order
        orderOfPage = pageColumns?.sql(direction) ?? order
    }

    /// The condition that a row lies between `after` and `before`, both excluded. An extreme value stands for an absent
    /// cursor, so that one text of the statement serves every page.
    var bounds: SQL {
        let bounds = page.bounds
        return "\(bound(">", bounds.lower)) and \(bound("<", bounds.upper))"
    }

    private func bound(_ comparison: StaticString, _ value: (key: Int64, id: UUID)) -> SQL {
        guard let id = columns.id else { return "\(unsafe: columns.key) \(unsafe: comparison) \(key(value.key))" }
        return "(\(unsafe: columns.key), \(unsafe: id)) \(unsafe: comparison) (\(key(value.key)), \(value.id))"
    }

    private func key(_ value: Int64) -> SQL {
        switch type {
        case .timestamp: "\(Timestamp(microseconds: value))"
        case .int32: "\(Int32(clamping: value))"
        case .int64: "\(value)"
        }
    }

    /// One page.
    /// - Parameters:
    ///   - rows: the subselect. Its condition has to include `bounds`.
    ///   - alias: the alias of the page's rows.
    ///   - joins: joins to the page's rows.
    func page(_ output: SQL, from rows: SQL, as alias: StaticString, joining joins: SQL = "") -> SQL {
        """
        select \(output) from (\(rows) order by \(order) \(unsafe: Page.atMost)) \(unsafe: alias)\(joins) \
        order by \(orderOfPage) limit \(page.limit)
        """
    }

    /// A page for each of several parents, in the order of the parents. The column after the output is the parent's
    /// number in `parents`, from 1.
    ///
    /// The statement does not sort the rows of one parent again, which would cost a tenth of its time. A nested loop
    /// keeps the order of the subselect. After any other join, `Page.lists` sorts the rows.
    /// - Parameters:
    ///   - parents: the ids of the parents. The subselect has each as `parent.id`.
    ///   - parentJoins: joins to the parents.
    ///   - rows: the subselect for the rows of one parent. Its condition has to include `bounds`.
    func pages(
        _ output: SQL, ofEach parents: [UUID], joiningParents parentJoins: SQL = "", from rows: SQL,
        as alias: StaticString,
        joining joins: SQL = ""
    ) -> SQL {
        """
        select \(output), parent.n from unnest(\(parents)) with ordinality as parent (id, n)\(parentJoins) \
        cross join lateral (\(page("*", from: rows, as: alias))) \(unsafe: alias)\(joins) order by parent.n
        """
    }
}

extension KeysetList.Columns {
    fileprivate func sql(_ direction: StaticString) -> SQL {
        guard let id else { return "\(unsafe: key) \(unsafe: direction)" }
        return "\(unsafe: key) \(unsafe: direction), \(unsafe: id) \(unsafe: direction)"
    }
}
