import Postgres
import Synchronization
import TestPostgres
import TestSupport
import Testing

@Suite struct NotificationListenerTests {
    @Test func deliversAndReconnects() async throws {
        let url = try await TestPostgres.shared.database().url
        let received = Mutex<[NotificationListener.Notification]>([])
        let connects = Mutex(0)
        var configuration = ConnectionConfiguration(url)
        configuration.applicationName = "listener"
        let listener = NotificationListener(configuration, channels: ["changes", "Odd \"name\""]) {
            connects.withLock { $0 += 1 }
        } onNotification: { notification in
            received.withLock { $0.append(notification) }
        }
        defer { listener.stop() }
        try await eventually("the listener listens") { connects.withLock { $0 } == 1 }
        let connection = try await DedicatedConnection.open(ConnectionConfiguration(url))
        try await connection.execute("select pg_notify('changes', 'one'), pg_notify('Odd \"name\"', 'two')")
        try await eventually("two notifications") { received.withLock { $0.count } == 2 }
        #expect(received.withLock { $0 }.map(\.payload) == ["one", "two"])
        try await connection.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'listener'")
        try await eventually("the listener listens again") { connects.withLock { $0 } == 2 }
        try await connection.execute("select pg_notify('changes', 'three')")
        try await eventually("the third notification") { received.withLock { $0.count } == 3 }
        await connection.close()
    }
}
