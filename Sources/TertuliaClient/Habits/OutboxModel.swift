// Built on Apple's systems only, and not by this repository's tests, which run on Linux.
#if canImport(SwiftUI)
    import Combine
    import SwiftUI

    /// The writes of the account that is signed in, as an observable object, for iOS 16.
    @MainActor public final class OutboxModel: ObservableObject {
        /// The oldest first; nil until the store was read.
        @Published public private(set) var entries: [OutboxEntry]?
        @Published public private(set) var error: (any Error)?
        private var task: Task<Void, Never>?

        /// - Parameter client: the client whose account has the writes. Another account needs another model.
        public init(_ client: Client) {
            task = Task { [weak self] in
                do {
                    for try await entries in try await client.outbox.values { self?.entries = entries }
                } catch is CancellationError {} catch {
                    self?.error = error
                }
            }
        }

        deinit { task?.cancel() }
    }

    /// The writes of the account that is signed in, as an observable model, for iOS 17 and later.
    @available(iOS 17, macOS 14, *)
    @MainActor @Observable public final class ObservableOutbox {
        /// The oldest first; nil until the store was read.
        public private(set) var entries: [OutboxEntry]?
        public private(set) var error: (any Error)?
        @ObservationIgnored private var task: Task<Void, Never>?

        /// - Parameter client: the client whose account has the writes. Another account needs another model.
        public init(_ client: Client) {
            task = Task { [weak self] in
                do {
                    for try await entries in try await client.outbox.values { self?.entries = entries }
                } catch is CancellationError {} catch {
                    self?.error = error
                }
            }
        }

        isolated deinit { task?.cancel() }
    }
#endif
