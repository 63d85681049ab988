import App
import GraphQL
import Postgres

/// Makes rows of documents by the rules of a mapping, and checks them by the rules of the server's mutations.
struct Mapper {
    let mapping: Mapping
    let source: String
    let folder: StorageFolder?
    /// The time of the import.
    let now: Timestamp
    let report: ImportReport

    func take(_ document: FirebaseDocument, into stage: inout Stage) {
        var isMapped = false
        var known: Set<String> = []
        for rule in mapping.rules {
            guard let variables = rule.path.match(document.path) else { continue }
            isMapped = true
            if rule.target == .ignore {
                report.leaveOut(rule.path.description)
                return
            }
            for field in rule.fields.values { known.formUnion(field.from.compactMap(\.fieldName)) }
            if let defect = document.defect {
                report.add(.init(effect: .refused, path: document.pathText, reason: defect))
                return
            }
            apply(rule, Scope(document: document, variables: variables), &stage)
        }
        guard isMapped else {
            let general = document.path.enumerated().map { $0.offset % 2 == 0 ? $0.element : "{}" }
            return report.leaveOut(general.joined(separator: "/"))
        }
        let path = mapping.rules.first { $0.path.match(document.path) != nil }?.path.description ?? ""
        for field in document.fields where !known.contains(field.name) {
            report.leaveOut("\(path): \(field.name.prefix(80))")
        }
    }

    private func apply(_ rule: MappingRule, _ scope: Scope, _ stage: inout Stage) {
        let path = scope.document.pathText
        guard let each = rule.fields[.each] else {
            return write(FieldReader(rule: rule, scope: scope, path: path, report: report), &stage)
        }
        let elements: [(name: String, value: InputValue)]
        do { elements = try each.elements(in: scope) } catch {
            let name = each.from.compactMap(\.fieldName).first
            return report.add(
                .init(
                    effect: .changed, path: path, field: "\(name ?? ".") (\(rule.target.rawValue))", reason: error.text)
            )
        }
        for element in elements {
            var scope = scope
            scope.variables[MappingRule.item] = element.name
            scope.element = element.value
            let place = "\(path)/\(each.from.compactMap(\.fieldName).first ?? "")/\(element.name)"
            guard place.utf8.count <= FirebaseDocument.maximumPathByteCount, !place.utf8.contains(0) else {
                report.add(
                    .init(
                        effect: .refused, path: path, field: each.from.compactMap(\.fieldName).first,
                        reason: "An element's name is too long, or has a character that cannot be stored."))
                continue
            }
            write(FieldReader(rule: rule, scope: scope, path: place, report: report), &stage)
        }
    }

    private func write(_ reader: FieldReader, _ stage: inout Stage) {
        switch reader.rule.target {
        case .account: writeProfile(reader, &stage)
        case .thought: writeThought(reader, &stage)
        case .event: writeEvent(reader, &stage)
        case .comment: writeComment(reader, &stage)
        case .likes: writeAct(.likes, reader, &stage)
        case .saves: writeAct(.saves, reader, &stage)
        case .ratings: writeAct(.ratings, reader, &stage)
        case .rsvps: writeAct(.rsvps, reader, &stage)
        case .ignore: break
        }
    }

    // MARK: - Objects

    private func writeProfile(_ reader: FieldReader, _ stage: inout Stage) {
        report.count("profiles") { $0.read += 1 }
        let uid = reader.has(.uid) ? reader.requiredID(.uid) : reader.scope.document.path.last
        guard let uid else { return }
        var name = reader.optionalText(.displayName, .displayName)
        let username = reader.optional(.username) { field throws(FieldRule.Misfit) -> String? in
            guard let text = try field.text(in: reader.scope) else { return nil }
            do throws(WrittenText.Refusal) { return try WrittenAccount.username(text) } catch {
                // The person keeps the name for others to read.
                if name == nil { name = try? WrittenText.displayName.checked(text) }
                throw FieldRule.Misfit(text: error.reason)
            }
        }
        let image = ImportedID.of(uid, kind: "avatar", source: source, createdAt: Self.imageTime)
        stage.add(
            StagedProfile(
                n: stage.nextNumber(), path: reader.path, uid: uid, username: username,
                name: name.map(Self.staged), bio: reader.optionalText(.bio, .bio),
                image: reader.image(.avatar, in: folder, id: image)))
    }

    static func staged(_ name: String) -> StagedName {
        StagedName(
            text: name, skeleton: WrittenAccount.skeleton(of: name), mayImitate: WrittenAccount.mayImitate(name))
    }

    private func writeThought(_ reader: FieldReader, _ stage: inout Stage) {
        report.count("thoughts") { $0.read += 1 }
        let oldID = oldID(reader)
        let author = reader.requiredID(.author)
        let text = reader.requiredText(.text, .thoughtText)
        let createdAt = reader.requiredDate(.createdAt)
        let category = category(reader)
        let published =
            reader.has(.published)
            ? reader.optional(.published) { field throws(FieldRule.Misfit) in try field.bool(in: reader.scope) }
                ?? false
            : true
        guard let oldID, let author, let text, let createdAt, let category else { return }
        let updatedAt = reader.optional(.updatedAt) { field throws(FieldRule.Misfit) in
            try field.date(in: reader.scope)
        }
        stage.add(
            StagedThought(
                n: stage.nextNumber(), path: reader.path, oldID: oldID, id: id(oldID, "thought", createdAt),
                author: author, category: category, title: reader.optionalText(.title, .thoughtTitle), text: text,
                status: published ? "PUBLISHED" : "DRAFT", createdAt: createdAt,
                updatedAt: max(updatedAt ?? createdAt, createdAt), image: image(reader, oldID)))
    }

    /// One of the schema's categories; SERIOUS where the mapping tells none.
    private func category(_ reader: FieldReader) -> String? {
        guard reader.has(.category) else { return "SERIOUS" }
        return reader.required(.category) { field throws(FieldRule.Misfit) -> String? in
            guard let text = try field.text(in: reader.scope)?.uppercased() else { return nil }
            guard WrittenThought.categories.contains(text) else {
                throw FieldRule.Misfit(text: "It is not one of the categories.")
            }
            return text
        }
    }

    private func writeEvent(_ reader: FieldReader, _ stage: inout Stage) {
        report.count("events") { $0.read += 1 }
        let oldID = oldID(reader)
        let author = reader.requiredID(.author)
        let name = reader.requiredText(.name, .eventName)
        let description = reader.requiredText(.description, .eventDescription)
        let startsAt = reader.requiredDate(.startsAt)
        let endsAt = endsAt(reader, startsAt)
        guard let oldID, let author, let name, let description, let startsAt, let endsAt else { return }
        guard endsAt > startsAt else { return reader.refuse(.endsAt, "The event has to end after it starts.") }
        let created = reader.optional(.createdAt) { field throws(FieldRule.Misfit) in try field.date(in: reader.scope) }
        let createdAt = created ?? min(startsAt, now)
        let timeZone = reader.optional(.timeZone) { field throws(FieldRule.Misfit) -> String? in
            guard let text = try field.text(in: reader.scope) else { return nil }
            do throws(WrittenText.Refusal) {
                return try WrittenEvent.timeZone(text)
            } catch {
                throw FieldRule.Misfit(text: error.reason)
            }
        }
        stage.add(
            StagedEvent(
                n: stage.nextNumber(), path: reader.path, oldID: oldID, id: id(oldID, "event", createdAt),
                author: author, name: name, description: description,
                location: reader.optionalText(.location, .eventLocation), timeZone: timeZone, startsAt: startsAt,
                endsAt: endsAt, createdAt: createdAt, image: image(reader, oldID)))
    }

    private func endsAt(_ reader: FieldReader, _ startsAt: Timestamp?) -> Timestamp? {
        reader.required(.endsAt) { field throws(FieldRule.Misfit) -> Timestamp? in
            if let date = try field.date(in: reader.scope) { return date }
            // An event without a start is refused for that.
            guard let minutes = field.minutesAfterStart else { return nil }
            guard let startsAt else { return now }
            return Timestamp(microseconds: startsAt.microseconds + Int64(minutes) * 60_000_000)
        }
    }

    private func writeComment(_ reader: FieldReader, _ stage: inout Stage) {
        report.count("comments") { $0.read += 1 }
        let subject = reader.place(.on)
        let author = reader.requiredID(.author)
        let text = reader.requiredText(.text, .comment)
        let createdAt = reader.requiredDate(.createdAt)
        guard let oldID = oldID(reader), let subject, let author, let text, let createdAt else { return }
        stage.add(
            StagedComment(
                n: stage.nextNumber(), path: reader.path, oldID: oldID, id: id(oldID, "comment", createdAt),
                author: author, subject: subject, text: text, createdAt: createdAt))
    }

    private func writeAct(_ kind: StagedAct.Kind, _ reader: FieldReader, _ stage: inout Stage) {
        report.count(kind.rawValue) { $0.read += 1 }
        let subject = reader.place(.on)
        let person = reader.requiredID(.person)
        let createdAt = reader.optional(.createdAt) { field throws(FieldRule.Misfit) in
            try field.date(in: reader.scope)
        }
        var act = StagedAct(
            n: stage.nextNumber(), path: reader.path, kind: kind, subject: subject ?? "", person: person ?? "",
            createdAt: createdAt)
        switch kind {
        case .likes, .saves: break
        case .ratings:
            let stars = reader.required(.stars) { field throws(FieldRule.Misfit) -> Int? in
                let stars = try field.integer(in: reader.scope)
                if let stars, !WrittenThought.stars.contains(stars) {
                    throw FieldRule.Misfit(text: "A rating is one to five stars.")
                }
                return stars
            }
            guard let stars else { return }
            act.stars = Int32(stars)
        case .rsvps:
            act.status = "GOING"
            if reader.has(.status) {
                let status = reader.required(.status) { field throws(FieldRule.Misfit) -> String? in
                    let status = try field.text(in: reader.scope)?.uppercased()
                    guard status == "GOING" || status == "INTERESTED" else {
                        throw FieldRule.Misfit(text: "An RSVP is GOING or INTERESTED.")
                    }
                    return status
                }
                guard let status else { return }
                act.status = status
            }
        }
        if subject != nil, person != nil { stage.add(act) }
    }

    // MARK: - Ids and pictures

    /// The path under which the object is known from now on.
    private func oldID(_ reader: FieldReader) -> String? {
        if !reader.has(.id) { return reader.path }
        return reader.place(.id)
    }

    private func id(_ oldID: String, _ kind: String, _ createdAt: Timestamp) -> UUID {
        ImportedID.of(oldID, kind: kind, source: source, createdAt: createdAt)
    }

    /// The time in the ids of pictures, which have none of their own that stays the same in a later import.
    private static let imageTime = Timestamp(microseconds: 0)

    private func image(_ reader: FieldReader, _ oldID: String) -> StagedImage? {
        reader.image(.image, in: folder, id: id(oldID, "image", Self.imageTime))
    }
}
