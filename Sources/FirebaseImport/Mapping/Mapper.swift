import App
import GraphQL
import Postgres

/// Turns documents into staged rows by the rules of a mapping, and checks them by the rules of the server's mutations.
struct Mapper {
    let mapping: Mapping
    let source: String
    let folder: StorageFolder?
    /// The time of the import. A later time of creation or update in a document becomes this time, because the server
    /// never sets a time in the future.
    let now: Timestamp
    let report: ImportReport

    func take(_ document: FirebaseDocument, into stage: inout Stage) {
        var rules: [MappingRule] = []
        for rule in mapping.rules {
            guard let variables = rule.path.match(document.path) else { continue }
            rules.append(rule)
            if rule.target == .ignore {
                report.leaveOut(rule.path.description)
                return
            }
            if let defect = document.defect {
                report.add(.init(effect: .refused, path: document.pathText, reason: defect))
                return
            }
            apply(rule, Scope(document: document, variables: variables), &stage)
        }
        guard let path = rules.first?.path.description else {
            let general = document.path.enumerated().map { $0.offset % 2 == 0 ? $0.element : "{}" }
            return report.leaveOut(general.joined(separator: "/"))
        }
        for name in ReadFields.unread(in: document, by: rules.map(\.read)) + document.unreadableNames {
            report.leaveOut("\(path): \(name.prefix(80))")
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
                // A text that is refused as a username may still be the display name, if the document gives no other.
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
        let createdAt = reader.requiredDate(.createdAt, notAfter: now)
        let category = category(reader)
        let published =
            reader.has(.published)
            ? reader.optional(.published) { field throws(FieldRule.Misfit) in try field.bool(in: reader.scope) }
                ?? false
            : true
        guard let oldID, let author, let text, let createdAt, let category else { return }
        let updatedAt = reader.optionalDate(.updatedAt, notAfter: now)
        stage.add(
            StagedThought(
                n: stage.nextNumber(), path: reader.path, oldID: oldID, id: id(oldID, "thought", createdAt),
                author: author, category: category, title: reader.optionalText(.title, .thoughtTitle), text: text,
                status: published ? "PUBLISHED" : "DRAFT", createdAt: createdAt,
                updatedAt: max(updatedAt ?? createdAt, createdAt), image: image(reader, oldID)))
    }

    /// One of the schema's categories; SERIOUS where the rule has no `category`.
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
        let createdAt = reader.optionalDate(.createdAt, notAfter: now) ?? min(startsAt, now)
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
            guard let minutes = field.minutesAfterStart else { return nil }
            // The missing start already refuses the event. A time instead of nil avoids a second report, of the end.
            guard let startsAt else { return now }
            return Timestamp(microseconds: startsAt.microseconds + Int64(minutes) * 60_000_000)
        }
    }

    private func writeComment(_ reader: FieldReader, _ stage: inout Stage) {
        report.count("comments") { $0.read += 1 }
        let subject = reader.place(.on)
        let author = reader.requiredID(.author)
        let text = reader.requiredText(.text, .comment)
        let createdAt = reader.requiredDate(.createdAt, notAfter: now)
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
        let createdAt = reader.optionalDate(.createdAt, notAfter: now)
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

    /// The path that `id` gives; where the rule has no `id`, the path of the document or of the element.
    private func oldID(_ reader: FieldReader) -> String? {
        if !reader.has(.id) { return reader.path }
        return reader.place(.id)
    }

    private func id(_ oldID: String, _ kind: String, _ createdAt: Timestamp) -> UUID {
        ImportedID.of(oldID, kind: kind, source: source, createdAt: createdAt)
    }

    /// The time in the ids of pictures. A picture has no creation time that a later import would find again.
    private static let imageTime = Timestamp(microseconds: 0)

    /// The picture of a thought or an event. Where a document becomes both, each of them has a picture of its own.
    private func image(_ reader: FieldReader, _ oldID: String) -> StagedImage? {
        reader.image(.image, in: folder, id: id(oldID, "\(reader.rule.target.rawValue) image", Self.imageTime))
    }
}
