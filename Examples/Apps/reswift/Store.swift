import TertuliaClient

/// Something that has happened. The reducer alone decides how it changes the state.
protocol Action: Sendable {}

/// The actions about the account.
enum UserAction: Action, Equatable {
    case userLoggedIn(Account)
    case userIdentified(Account)
    case userLoggedOut
    case userAuthFailed(AccountError)
    case userAuthenticationAction(AccountChange)
}

enum AccountChange: Equatable { case signedUp, passwordChanged, emailChanged, passwordReset }

/// A distinct error for each call, with the server's text.
enum AccountError: Error, Equatable {
    case logIn(String)
    case signUp(String)
    case changePassword(String)
    case changeEmail(String)
    case resetPassword(String)
    case sessionEnded(String)
    case missingUserID
}

/// The actions about the objects of a list, typed by the object.
enum ObjectAction<Object: Sendable & Equatable>: Action, Equatable {
    case objectAdded(id: String, Object, index: Int)
    case objectChanged(id: String, Object, index: Int)
    case objectRemoved(id: String)
    case objectErrored(ObjectError)
    case objectSubscribed(Bool)
}

enum ObjectError: Error, Equatable {
    case noData
    case malformedData(String)
    case refused(String)
}

extension ObjectAction where Object: SelectedObject {
    /// The client's events are the actions.
    init(_ event: ObjectEvent<Object>) {
        self =
            switch event {
            case .objectSubscribed(let flag): .objectSubscribed(flag)
            case .objectAdded(let id, let object, let index): .objectAdded(id: id, object, index: index)
            case .objectChanged(let id, let object, let index): .objectChanged(id: id, object, index: index)
            case .objectRemoved(let id): .objectRemoved(id: id)
            case .objectErrored(let text): .objectErrored(.malformedData(text))
            }
    }
}

struct AppState: Equatable {
    struct Item: Equatable {
        var id: String
        var note: Note
    }

    var account: Account?
    /// The path that is subscribed to. `Remote` refuses to subscribe to it again.
    var path: String?
    var isSubscribed = false
    var items: [Item] = []
    var accountError: AccountError?
    var objectError: ObjectError?
    /// The newest actions, the oldest first.
    var log: [String] = []
}

func reduce(_ state: AppState, _ action: any Action) -> AppState {
    var next = state
    next.log = (state.log + [name(of: action)]).suffix(8)
    switch action {
    case let action as UserAction: reduce(&next, action)
    case let action as ObjectAction<Note>: reduce(&next, action)
    case let action as PathChosen:
        next.path = action.path
        next.items = []
        next.isSubscribed = false
    default: break
    }
    return next
}

/// A list was chosen; nil for none.
struct PathChosen: Action { var path: String? }

private func reduce(_ state: inout AppState, _ action: UserAction) {
    state.accountError = nil
    switch action {
    case .userLoggedIn(let account), .userIdentified(let account): state.account = account
    case .userLoggedOut: state = AppState(log: state.log)
    case .userAuthFailed(let error): state.accountError = error
    case .userAuthenticationAction: break
    }
}

private func reduce(_ state: inout AppState, _ action: ObjectAction<Note>) {
    state.objectError = nil
    switch action {
    case .objectAdded(let id, let note, let index):
        state.items.insert(AppState.Item(id: id, note: note), at: index)
    case .objectChanged(let id, let note, let index):
        state.items.removeAll { $0.id == id }
        state.items.insert(AppState.Item(id: id, note: note), at: index)
    case .objectRemoved(let id): state.items.removeAll { $0.id == id }
    case .objectErrored(let error): state.objectError = error
    case .objectSubscribed(let flag): state.isSubscribed = flag
    }
}

/// `ObjectAdded` for `.objectAdded(…)`.
private func name(of action: any Action) -> String {
    switch action {
    case UserAction.userAuthFailed(let error): "UserAuthFailed(\(error))"
    case UserAction.userAuthenticationAction(let change): "UserAuthenticationAction(\(change))"
    case ObjectAction<Note>.objectErrored(let error): "ObjectErrored(\(error))"
    case ObjectAction<Note>.objectSubscribed(let flag): "ObjectSubscribed(\(flag))"
    default: upper("\(action)".prefix { $0 != "(" })
    }
}

private func upper(_ name: some StringProtocol) -> String { name.prefix(1).uppercased() + name.dropFirst() }

/// The state, and a callback after each change.
@MainActor final class Store {
    private(set) var state = AppState()
    var changed: () -> Void = {}

    func dispatch(_ action: any Action) {
        state = reduce(state, action)
        changed()
    }
}
