import App
import Auth
import Postgres

/// Turns exported accounts into rows of the temporary tables, and checks their values by the rules of sign-up.
struct AccountMapper {
    let source: String
    /// nil if the operator gave none. An account with an address and a password then ends the import.
    let parameters: FirebasePasswordParameters?
    let now: Timestamp
    let report: ImportReport

    func take(
        _ account: Result<ExportedAccount, ExportedAccount.Defect>, at place: Int, into stage: inout Stage
    ) throws(ImportFailure) {
        report.count("accounts") { $0.read += 1 }
        switch account {
        case .failure(let defect):
            report.add(.init(effect: .refused, path: "auth/users[\(place)]", reason: defect.reason))
        case .success(let account): try take(account, into: &stage)
        }
    }

    private func take(_ account: ExportedAccount, into stage: inout Stage) throws(ImportFailure) {
        let createdAt = min(account.createdAt ?? now, now)
        if let given = account.createdAt, given > now { change(account, "createdAt", FirebaseDate.isInTheFuture) }
        let id = ImportedID.of(account.uid, kind: "user", source: source, createdAt: createdAt)
        let email = email(account)
        let passwordHash = try email == nil ? nil : passwordHash(account)
        stage.add(
            StagedAccount(
                n: stage.nextNumber(), uid: account.uid, id: id, email: email,
                isEmailVerified: account.isEmailVerified, passwordHash: passwordHash, name: name(account),
                generatedName: WrittenAccount.generatedName(id), isAnonymous: account.isAnonymous,
                isDisabled: account.isDisabled, createdAt: createdAt))
    }

    private func email(_ account: ExportedAccount) -> String? {
        guard let email = account.email else {
            if !account.isAnonymous {
                change(account, "email", "It has no e-mail address, so nobody can sign in to it.")
            }
            return nil
        }
        do { return try WrittenAccount.email(email) } catch {
            change(account, "email", error.reason)
            return nil
        }
    }

    private func passwordHash(_ account: ExportedAccount) throws(ImportFailure) -> String {
        guard let hash = account.passwordHash else { return PasswordHasher.noPassword }
        guard let parameters else {
            throw ImportFailure("The accounts have passwords: give the project's parameters as --hash-parameters.")
        }
        if let stored = parameters.stored(hash: hash, salt: account.salt ?? "") { return stored }
        change(account, "passwordHash", "It is not a hash of these parameters: the password has to be reset.")
        return PasswordHasher.noPassword
    }

    private func name(_ account: ExportedAccount) -> StagedName? {
        guard let text = account.displayName else { return nil }
        do { return try WrittenText.displayName.checked(text).map(Mapper.staged) } catch {
            change(account, "displayName", error.reason)
            return nil
        }
    }

    private func change(_ account: ExportedAccount, _ field: String, _ reason: String) {
        report.add(.init(effect: .changed, path: "auth/\(account.uid)", field: field, reason: reason))
    }
}
