/// The results that one response announces, delivers and completes. An operation's first response only announces.
struct IncrementalPayload {
    enum Increment {
        case part(WrittenPart, of: DeferredFragment, path: PlanPath)
        case items(WrittenPart, of: StreamedList)
    }

    var pending: [PendingResult] = []
    var incremental: [Increment] = []
    var completed: [Completion] = []

    var isEmpty: Bool { pending.isEmpty && incremental.isEmpty && completed.isEmpty }
}

/// An entry of `completed`. With errors the fragment is not delivered, or the list ends early.
struct Completion {
    let result: PendingResult
    let errors: [GraphQLError]
}

/// Writes the members of a response that belong to incremental delivery.
struct IncrementalEncoder {
    let plan: OperationPlan
    let format: IncrementalFormat

    /// Writes the members of the first response that follow its data and errors.
    func write(_ payload: IncrementalPayload, hasNext: Bool, to json: inout JSONWriter) {
        if format == .current { writePending(payload.pending, &json) }
        writeHasNext(hasNext, &json)
    }

    /// A response after the first.
    func response(_ payload: IncrementalPayload, hasNext: Bool, extensions: InputObject) -> Response {
        var json = JSONWriter(capacity: 1024)
        var errors: [GraphQLError] = payload.completed.flatMap(\.errors)
        for case .part(let part, of: _, path: _) in payload.incremental { errors += part.errors }
        for case .items(let items, of: _) in payload.incremental { errors += items.errors }
        // Each member begins with a comma; the first comma becomes the opening brace below.
        switch format {
        case .current:
            writePending(payload.pending, &json)
            writeIncremental(payload.incremental, &json)
            writeCompleted(payload.completed, &json)
        case .deferSpec: writeIncrements(of: payload, &json)
        }
        writeHasNext(hasNext, &json)
        json.writeExtensions(extensions)
        json.append(UInt8(ascii: "}"))
        var body = json.bytes
        body[0] = UInt8(ascii: "{")
        return Response(body: body, hasData: true, errors: errors)
    }

    private func writeHasNext(_ hasNext: Bool, _ json: inout JSONWriter) {
        json.append(",\"hasNext\":")
        json.write(hasNext)
    }

    // MARK: - IncrementalFormat.current

    /// Spec: incremental delivery, 7.1.11 Incremental Pending Notice
    private func writePending(_ pending: [PendingResult], _ json: inout JSONWriter) {
        if pending.isEmpty { return }
        json.append(",\"pending\":[")
        for (index, result) in pending.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            json.append(UInt8(ascii: "{"))
            write(idOf: result, &json)
            json.append(",\"path\":")
            write(result.path[...], &json)
            writeLabel(result, &json)
            json.append(UInt8(ascii: "}"))
        }
        json.append(UInt8(ascii: "]"))
    }

    /// Spec: incremental delivery, 7.1.12 Incremental Result
    private func writeIncremental(_ increments: [IncrementalPayload.Increment], _ json: inout JSONWriter) {
        if increments.isEmpty { return }
        json.append(",\"incremental\":[")
        for (index, increment) in increments.enumerated() {
            json.append(index == 0 ? "{" : ",{")
            switch increment {
            case .part(let part, of: let fragment, let path):
                write(idOf: fragment, &json)
                if path.count > fragment.path.count {
                    json.append(",\"subPath\":")
                    write(path[fragment.path.count...], &json)
                }
                json.append(",\"data\":")
                json.append(part.bytes ?? [])
                writeErrors(part.errors, &json)
            case .items(let items, of: let stream):
                write(idOf: stream, &json)
                json.append(",\"items\":")
                json.append(items.bytes ?? [])
                writeErrors(items.errors, &json)
            }
            json.append(UInt8(ascii: "}"))
        }
        json.append(UInt8(ascii: "]"))
    }

    /// Spec: incremental delivery, 7.1.13 Incremental Completion Notice
    private func writeCompleted(_ completed: [Completion], _ json: inout JSONWriter) {
        if completed.isEmpty { return }
        json.append(",\"completed\":[")
        for (index, completion) in completed.enumerated() {
            json.append(index == 0 ? "{" : ",{")
            write(idOf: completion.result, &json)
            writeErrors(completion.errors, &json)
            json.append(UInt8(ascii: "}"))
        }
        json.append(UInt8(ascii: "]"))
    }

    private func write(idOf result: PendingResult, _ json: inout JSONWriter) {
        json.append("\"id\":\"")
        json.write(result.id ?? 0)
        json.append(UInt8(ascii: "\""))
    }

    // MARK: - IncrementalFormat.deferSpec

    /// This format has no `completed`: a fragment or list that failed is an increment whose data or items are null.
    private func writeIncrements(of payload: IncrementalPayload, _ json: inout JSONWriter) {
        let failed = payload.completed.filter { !$0.errors.isEmpty }
        if payload.incremental.isEmpty && failed.isEmpty { return }
        json.append(",\"incremental\":[")
        var isFirst = true
        func open(_ json: inout JSONWriter) {
            json.append(isFirst ? "{" : ",{")
            isFirst = false
        }
        for increment in payload.incremental {
            open(&json)
            switch increment {
            case .part(let part, of: let fragment, let path):
                json.append("\"data\":")
                json.append(part.bytes ?? [])
                close(path, fragment, part.errors, &json)
            case .items(let items, of: let stream):
                json.append("\"items\":")
                json.append(items.bytes ?? [])
                close(stream.path + [stream.firstIndex], stream, items.errors, &json)
            }
        }
        for completion in failed {
            open(&json)
            if let stream = completion.result as? StreamedList {
                let count = payload.incremental.lazy.compactMap { $0.itemCount(of: stream) }.first ?? 0
                json.append("\"items\":null")
                close(stream.path + [stream.firstIndex + count], stream, completion.errors, &json)
            } else {
                json.append("\"data\":null")
                close(completion.result.path, completion.result, completion.errors, &json)
            }
        }
        json.append(UInt8(ascii: "]"))
    }

    private func close(
        _ path: PlanPath, _ result: PendingResult, _ errors: [GraphQLError], _ json: inout JSONWriter
    ) {
        json.append(",\"path\":")
        write(path[...], &json)
        writeLabel(result, &json)
        writeErrors(errors, &json)
        json.append(UInt8(ascii: "}"))
    }

    // MARK: - Both formats

    private func writeLabel(_ result: PendingResult, _ json: inout JSONWriter) {
        guard let label = result.label else { return }
        json.append(",\"label\":")
        json.write(label)
    }

    private func writeErrors(_ errors: [GraphQLError], _ json: inout JSONWriter) {
        if errors.isEmpty { return }
        json.append(",\"errors\":")
        json.write(errors)
    }

    private func write(_ path: ArraySlice<Int>, _ json: inout JSONWriter) {
        json.append(UInt8(ascii: "["))
        for (index, element) in path.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            if element >= 0 { json.write(element) } else { json.write(plan.fields[~element].responseName) }
        }
        json.append(UInt8(ascii: "]"))
    }
}

extension IncrementalPayload.Increment {
    fileprivate func itemCount(of list: StreamedList) -> Int? {
        if case .items(let items, of: let stream) = self, stream === list { items.itemCount } else { nil }
    }
}
