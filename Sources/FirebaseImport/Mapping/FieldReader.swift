import App
import Postgres

/// Reads the fields of one rule in one scope, and reports those that do not fit.
struct FieldReader {
    let rule: MappingRule
    let scope: Scope
    /// The document's path. In a rule with `each`, the field of `each` and the element's name follow.
    let path: String
    let report: ImportReport

    func has(_ name: MappingRule.FieldName) -> Bool { rule.fields[name] != nil }

    /// Reads a value that the object needs: without it, the object is reported as refused.
    func required<Value>(
        _ name: MappingRule.FieldName, _ read: (FieldRule) throws(FieldRule.Misfit) -> Value?
    ) -> Value? {
        guard let field = rule.fields[name] else { return nil }
        do {
            if let value = try read(field) { return value }
            refuse(name, "It is missing.")
        } catch {
            refuse(name, error.text)
        }
        return nil
    }

    /// Reads a value that the object can lack: one that does not fit is reported and left out.
    func optional<Value>(
        _ name: MappingRule.FieldName, _ read: (FieldRule) throws(FieldRule.Misfit) -> Value?
    ) -> Value? {
        guard let field = rule.fields[name] else { return nil }
        do { return try read(field) } catch {
            change(name, error.text)
            return nil
        }
    }

    /// Reads a text, and checks it by the rules that mutations have for texts of its kind.
    func requiredText(_ name: MappingRule.FieldName, _ kind: WrittenText) -> String? {
        required(name) { field throws(FieldRule.Misfit) in try stored(field, kind, name) }
    }

    func optionalText(_ name: MappingRule.FieldName, _ kind: WrittenText) -> String? {
        optional(name) { field throws(FieldRule.Misfit) in try stored(field, kind, name) }
    }

    private func stored(
        _ field: FieldRule, _ kind: WrittenText, _ name: MappingRule.FieldName
    ) throws(FieldRule.Misfit) -> String? {
        guard let text = try field.text(in: scope) else { return nil }
        do { return try kind.checked(text) } catch let tooLong {
            guard tooLong.isTooLong, field.cuts else { throw FieldRule.Misfit(text: tooLong.reason) }
            // The cut text still has to pass the other rules.
            do {
                let kept = try kind.checked(kind.cut(text))
                change(name, "It was cut: \(tooLong.reason)")
                return kept
            } catch { throw FieldRule.Misfit(text: error.reason) }
        }
    }

    func requiredID(_ name: MappingRule.FieldName) -> String? {
        required(name) { field throws(FieldRule.Misfit) in try field.id(in: scope) }
    }

    func requiredDate(_ name: MappingRule.FieldName) -> Timestamp? {
        required(name) { field throws(FieldRule.Misfit) in try field.date(in: scope) }
    }

    func requiredDate(_ name: MappingRule.FieldName, notAfter end: Timestamp) -> Timestamp? {
        requiredDate(name).map { limited($0, name, end) }
    }

    func optionalDate(_ name: MappingRule.FieldName, notAfter end: Timestamp) -> Timestamp? {
        optional(name) { field throws(FieldRule.Misfit) in try field.date(in: scope) }.map { limited($0, name, end) }
    }

    /// A later time than `end` is reported and becomes `end`. Phones whose clocks are ahead write such times.
    private func limited(_ date: Timestamp, _ name: MappingRule.FieldName, _ end: Timestamp) -> Timestamp {
        guard date > end else { return date }
        change(name, FirebaseDate.isInTheFuture)
        return end
    }

    /// The path that the field `id` or `on` gives; the document's own path where the rule does not have this field.
    func place(_ name: MappingRule.FieldName) -> String? {
        guard has(name) else { return scope.document.pathText }
        return required(name) { field throws(FieldRule.Misfit) in try field.id(in: scope, isPath: true) }
    }

    /// A picture in the Storage folder, checked and cleaned.
    /// - Parameter id: the new id of the picture.
    func image(_ name: MappingRule.FieldName, in folder: StorageFolder?, id: UUID) -> StagedImage? {
        optional(name) { field throws(FieldRule.Misfit) -> StagedImage? in
            guard let address = try field.text(in: scope), !address.isEmpty else { return nil }
            guard let folder else { throw FieldRule.Misfit(text: "No folder of Storage files was given.") }
            guard let file = StorageFolder.file(of: address) else {
                throw FieldRule.Misfit(text: "It is not an address in Firebase Storage.")
            }
            let image: WrittenImage
            do throws(WrittenText.Refusal) { image = try folder.image(file) } catch {
                throw FieldRule.Misfit(text: error.reason)
            }
            return StagedImage(path: file, id: id, byteCount: Int64(image.bytes.count))
        }
    }

    func refuse(_ name: MappingRule.FieldName?, _ reason: String) { add(.refused, name, reason) }

    func change(_ name: MappingRule.FieldName?, _ reason: String) { add(.changed, name, reason) }

    private func add(_ effect: ImportReport.Effect, _ name: MappingRule.FieldName?, _ reason: String) {
        let from = name.flatMap { rule.fields[$0]?.from.compactMap(\.fieldName).first }
        let field = name.map { name in
            let target = "\(rule.target.rawValue).\(name.rawValue)"
            return from.map { "\($0) (\(target))" } ?? target
        }
        report.add(.init(effect: effect, path: path, field: field, reason: reason))
    }
}
