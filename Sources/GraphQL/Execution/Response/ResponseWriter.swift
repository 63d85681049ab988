/// Writes a response from completed columns, depth first in the order of the selection. If an error propagates, the
/// bytes since the nearest nullable position are removed.
/// Spec: 6.4.4 Handling Execution Errors, 7.1 Response Format
struct ResponseWriter: ~Copyable {
    static let maximumErrors = 50

    private let execution: Execution
    private let noContext: AnyFieldContext
    /// `OperationPlan.prefixes`, valid while the response is written.
    private let prefixes: UnsafeRawPointer
    private var json: JSONWriter
    private var errors: [GraphQLError] = []
    private var path: PlanPath = []
    /// The deferred fragments that enclose the current object, by position of their usage.
    private var enclosing: [DeferredFragment?] = []
    /// The deliveries found so far, each with the offset in `json` at which its object or list begins.
    private var later: [(start: Int, delivery: Delivery)] = []

    /// - Parameter prefixes: `OperationPlan.prefixes`, valid for as long as the writer.
    init(_ execution: Execution, _ prefixes: UnsafeRawPointer) {
        self.execution = execution
        noContext = execution.noContext
        self.prefixes = prefixes
        json = JSONWriter(capacity: 4096)
        let usages = execution.plan.deferUsages.count
        if usages > 0 { enclosing = Array(repeating: nil, count: usages) }
    }

    /// - Parameter announce: called if fragments or lists are delivered later; writes the members that announce them.
    mutating func writeResponse(
        _ root: ObjectSet, extensions: InputObject, announce: (([Delivery], inout JSONWriter) -> Void)? = nil
    ) -> Response {
        json.append("{\"data\":")
        let start = json.count
        let hasData = write(root, 0)
        if !hasData {
            takeBack(to: start)
            json.writeNull()
        }
        if !errors.isEmpty {
            json.append(",\"errors\":")
            json.write(errors)
        }
        if let announce, !later.isEmpty { announce(later.map(\.delivery), &json) }
        json.writeExtensions(extensions)
        json.append(UInt8(ascii: "}"))
        return Response(body: json.bytes, hasData: hasData, errors: errors)
    }

    /// Writes the deferred fields of an object as an object of their own.
    mutating func write(_ part: DeferredPart) -> WrittenPart {
        path = part.path
        enclosing = part.enclosing
        let isWritten = write(part.deferred.objects, part.row)
        return WrittenPart(
            bytes: isWritten ? json.bytes : nil, errors: errors, later: isWritten ? later.map(\.delivery) : [])
    }

    /// Writes the items of a streamed list that are delivered later, up to an error that ends the list.
    mutating func write(_ stream: StreamedList) -> WrittenPart {
        guard let items = stream.tail.items else { return WrittenPart(bytes: nil, errors: [], later: []) }
        let field = stream.tail.field
        let isItemNonNull = field.nullability.isNonNull(at: 1)
        path = stream.path + [0]
        var written = WrittenPart(bytes: nil, errors: [], later: [])
        json.append(UInt8(ascii: "["))
        for (offset, row) in stream.tail.rows(stream.slot).enumerated() {
            let (before, known) = (json.count, errors.count)
            if offset > 0 { json.append(UInt8(ascii: ",")) }
            let start = json.count
            path[path.count - 1] = stream.firstIndex + offset
            if !write(items, row, field, level: 1) {
                if isItemNonNull {
                    takeBack(to: before)
                    written.failure = Array(errors[known...])
                    if written.failure.isEmpty {
                        // The error was beyond `maximumErrors`.
                        written.failure = [GraphQLError("The list has too many errors.", code: .internalServerError)]
                    }
                    errors.removeSubrange(known...)
                    break
                }
                takeBack(to: start)
                json.writeNull()
            }
            written.itemCount += 1
        }
        json.append(UInt8(ascii: "]"))
        if written.itemCount > 0 { written.bytes = json.bytes }
        written.errors = errors
        written.later = later.map(\.delivery)
        return written
    }

    /// Writes an object.
    /// - Returns: false if an error propagates to the parent. The caller then removes the written bytes.
    private mutating func write(_ objects: ObjectSet, _ row: Int) -> Bool {
        let selection = objects.selection
        let column = objects.column
        let steps = selection.steps
        let noContext = noContext
        if steps.isEmpty { json.append(UInt8(ascii: "{")) }
        for position in steps.indices {
            json.append(
                padded: prefixes + Int(steps[position].prefixStart), count: Int(steps[position].prefixCount))
            let start = json.count
            switch steps[position].kind {
            case .constant: continue
            case .deferral: enter(objects, row, at: start)
            case .leaf:
                do {
                    try steps[position].write(column, row, noContext, &json)
                } catch {
                    json.truncate(to: start)
                    if !writeFailedLeaf(objects, row, selection.fields[position], error) { return false }
                }
            case .contextualLeaf:
                do {
                    let context = try execution.input(of: selection.fields[position]).get()
                    try steps[position].write(column, row, context, &json)
                } catch {
                    json.truncate(to: start)
                    if !writeFailedLeaf(objects, row, selection.fields[position], error) { return false }
                }
            case .completed:
                let field = selection.fields[position]
                path.append(~field.index)
                let isWritten = objects.results[position].map { write($0, row, field, level: 0) } ?? false
                path.removeLast()
                if !isWritten {
                    if field.nullability.isNonNull(at: 0) { return false }
                    takeBack(to: start)
                    json.writeNull()
                }
            }
        }
        json.append(UInt8(ascii: "}"))
        return true
    }

    /// Writes the value of a slot.
    /// - Returns: false if an error, which is recorded, leaves no value. The caller then writes null or propagates the
    ///   error.
    private mutating func write(_ slots: CompletedSlots, _ slot: Int, _ field: PlannedField, level: Int) -> Bool {
        switch slots {
        case .objects(let objects):
            return write(objects, slot)
        case .list(let offsets, let items):
            return writeList(items, Int(offsets[slot])..<Int(offsets[slot + 1]), field, level: level)
        case .streamed(let offsets, let items, let tail):
            let rows = Int(offsets[slot])..<Int(offsets[slot + 1])
            if !tail.rows(slot).isEmpty {
                let stream = StreamedList(tail, slot: slot, firstIndex: rows.count, path: path)
                later.append((json.count, .stream(stream)))
            }
            return writeList(items, rows, field, level: level)
        case .optional(let rows, let next):
            if rows[slot] >= 0 { return write(next, Int(rows[slot]), field, level: level) }
            json.writeNull()
            return true
        case .leafs(let column):
            guard case .leaf(let write) = field.children else { return false }
            do {
                try write(column, slot, &json)
                return true
            } catch {
                return fail(execution.executionError(for: error), field)
            }
        case .abstract(let split, let sets):
            let member = split.members[slot]
            if member >= 0 { return write(sets[Int(member)], Int(split.rows[slot])) }
            let error = UnresolvedAbstractValue(field: field.responseName)
            return fail(execution.executionError(for: error), field)
        case .failing(let rows, let errors, let next):
            if rows[slot] >= 0 { return write(next, Int(rows[slot]), field, level: level) }
            return fail(errors[-1 - Int(rows[slot])], field)
        case .failed(let error):
            return fail(error, field)
        }
    }

    private mutating func writeList(
        _ items: CompletedSlots, _ rows: Range<Int>, _ field: PlannedField, level: Int
    ) -> Bool {
        let isItemNonNull = field.nullability.isNonNull(at: level + 1)
        let position = path.count
        path.append(0)
        defer { path.removeLast() }
        json.append(UInt8(ascii: "["))
        if case .objects(let objects) = items, isItemNonNull {
            for row in rows {
                if row > rows.lowerBound { json.append(UInt8(ascii: ",")) }
                path[position] = row - rows.lowerBound
                if !write(objects, row) { return false }
            }
            json.append(UInt8(ascii: "]"))
            return true
        }
        for row in rows {
            if row > rows.lowerBound { json.append(UInt8(ascii: ",")) }
            path[position] = row - rows.lowerBound
            let start = json.count
            if write(items, row, field, level: level + 1) { continue }
            if isItemNonNull { return false }
            takeBack(to: start)
            json.writeNull()
        }
        json.append(UInt8(ascii: "]"))
        return true
    }

    /// Handles a leaf that could not be written. A list of leafs is resolved again, item by item, so that only the item
    /// that failed is null.
    private mutating func writeFailedLeaf(
        _ objects: ObjectSet, _ row: Int, _ field: PlannedField, _ error: any Error
    ) -> Bool {
        path.append(~field.index)
        defer { path.removeLast() }
        let start = json.count
        if field.nullability.isList, case .expand(let expand) = field.resolution,
            case .success(let context) = execution.input(of: field)
        {
            let completed = expand(objects.column, row..<row + 1, context)
            if write(execution.completeValue(field, completed), 0, field, level: 0) { return true }
        } else {
            _ = fail(execution.executionError(for: error), field)
        }
        if field.nullability.isNonNull(at: 0) { return false }
        json.truncate(to: start)
        json.writeNull()
        return true
    }

    // MARK: - Deliveries

    /// Records the fields of an object that are delivered later.
    private mutating func enter(_ objects: ObjectSet, _ row: Int, at start: Int) {
        guard let deferral = objects.selection.deferral else { return }
        for usage in deferral.usages {
            let (label, parent) = (execution.plan.deferUsages[usage].label, execution.plan.deferUsages[usage].parent)
            enclosing[usage] = DeferredFragment(label: label, path: path, parent: parent.flatMap { enclosing[$0] })
        }
        for deferred in objects.deferred {
            let part = DeferredPart(
                deferred, row: row, path: path, fragments: deferred.usages.compactMap { enclosing[$0] },
                enclosing: enclosing)
            later.append((start, .part(part)))
        }
    }

    /// Removes the bytes from an offset on, and the deliveries that were found in them.
    private mutating func takeBack(to start: Int) {
        json.truncate(to: start)
        while let last = later.last, last.start >= start { later.removeLast() }
    }

    // MARK: - Errors

    private mutating func fail(_ error: ExecutionError, _ field: PlannedField) -> Bool {
        if errors.count < Self.maximumErrors {
            let source = execution.plan.source
            errors.append(
                GraphQLError(
                    error.message,
                    locations: field.locations.filter { $0 != .none }.map(source.location(of:)),
                    path: path.map { element in
                        element >= 0 ? .index(element) : .key(execution.plan.fields[~element].responseName)
                    },
                    extensions: error.extensions))
        }
        return false
    }
}
