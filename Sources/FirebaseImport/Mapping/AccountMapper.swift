import App
import Auth
import Postgres

/// Makes rows of exported accounts, and checks them by the rules of sign-up.
struct AccountMapper {
    let source: String
    /// nil if none were given; the export then must have no password.
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
        let createdAt = account.createdAt ?? now
        let id = ImportedID.of(account.uid, kind: "user", source: source, createdAt: createdAt)
        let email = email(account)
        let passwordHash = try email == nil ? nil : passwordHash(account)
        let isVerified = account.isEmailVerified && email?.isConfirmable == true
        stage.add(
            StagedAccount(
                n: stage.nextNumber(), uid: account.uid, id: id, email: email?.text,
                isEmailVerified: isVerified, passwordHash: passwordHash, name: name(account),
                generatedName: WrittenAccount.generatedName(id), isAnonymous: account.isAnonymous,
                isDisabled: account.isDisabled, createdAt: createdAt))
    }

    private func email(_ account: ExportedAccount) -> (text: String, isConfirmable: Bool)? {
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
