// The screens of rndm in SwiftUI, over the types that the plugin writes for rndm/rndm.graphql. They have never been
// built: this repository is tested on Linux, which has no SwiftUI. In Xcode: a new app for iOS 17, the package tertulia
// with its products TertuliaClient and GenerateOperations, rndm.graphql, and the server's schema.graphql.
import SwiftUI
import TertuliaClient

@main struct RndmApp: App {
    @State private var client: Client?
    @State private var account: Account?

    var body: some Scene {
        WindowGroup {
            Group {
                if let client, account != nil {
                    ThoughtsView().tertulia(client)
                } else if let client {
                    SignInView(client: client)
                } else {
                    ProgressView()
                }
            }
            .task { await open() }
        }
    }

    /// Opens the client and follows the session: the list is shown only while an account is signed in.
    private func open() async {
        guard let url = URL(string: "https://tertulia.example.org/graphql"),
            let client = try? await Client(
                url: url, transport: URLSessionTransport(), credentials: KeychainCredentialStore(service: "rndm"),
                folder: .applicationSupportDirectory.appending(path: "rndm"), schema: .generated,
                mutations: [
                    PostThoughtMutation.self, EditThoughtMutation.self, DeleteThoughtMutation.self, LikeMutation.self,
                    UnlikeMutation.self, AddCommentMutation.self, EditCommentMutation.self,
                    DeleteCommentMutation.self,
                ])
        else { return }
        self.client = client
        for await state in await client.session.states { account = state.account }
    }
}

struct SignInView: View {
    let client: Client
    @State private var login = ""
    @State private var password = ""
    @State private var problem: String?

    var body: some View {
        Form {
            TextField("E-mail or username", text: $login).textContentType(.username)
            SecureField("Password", text: $password).textContentType(.password)
            if let problem { Text(problem).foregroundStyle(.red) }
            Button("Sign in") { Task { await signIn() } }.disabled(login.isEmpty || password.isEmpty)
        }
    }

    private func signIn() async {
        do { try await client.signIn(login: login, password: password) } catch let error as UserErrors {
            problem = error.faults.map(\.message).joined(separator: "\n")
        } catch {
            problem = "The server cannot be reached."
        }
    }
}

struct ThoughtsView: View {
    private static let filter = [ThoughtCategory.funny]
    @Live(
        ThoughtsQuery(filter: .value(ThoughtFilter(categories: .value(filter))), first: 50),
        changes: ThoughtChangesSubscription(
            filter: .value(FeedFilter(kinds: .value([.thought]), categories: .value(filter))))) private var thoughts
    @SwiftUI.Environment(\.tertuliaClient) private var client
    @State private var text = ""

    var body: some View {
        NavigationStack {
            List {
                ForEach(Array(zip(thoughts?.ids ?? [], thoughts?.rows ?? [])), id: \.0) { id, row in
                    ThoughtRowView(id: id, row: row)
                }
                if thoughts?.hasNextPage == true { Button("More") { Task { try await $thoughts?.loadMore() } } }
            }
            .navigationTitle("Funny")
            .refreshable { try? await $thoughts?.reload() }
            .safeAreaInset(edge: .bottom) {
                TextField("A thought", text: $text).textFieldStyle(.roundedBorder).padding()
                    .onSubmit { Task { try await post() } }
            }
            .toolbar { Button("Log out") { Task { try await client?.signOut() } } }
        }
    }

    private func post() async throws {
        let id = NewID.make("thought")
        try await client?.perform(
            PostThoughtMutation(input: CreateThoughtInput(id: .value(id), category: .funny, text: text)), objects: [id])
        text = ""
    }
}

struct ThoughtRowView: View {
    let id: String
    let row: ThoughtRow
    @SwiftUI.Environment(\.tertuliaClient) private var client

    var body: some View {
        VStack(alignment: .leading) {
            Text(row.author.displayName).font(.headline)
            Text(row.text)
            HStack {
                Button("\(row.likeCount)", systemImage: row.viewerHasLiked ? "star.fill" : "star") {
                    Task { try await like() }
                }
                Label("\(row.commentCount)", systemImage: "bubble")
                if row.viewerCanEdit {
                    Menu("…") { Button("Delete", role: .destructive) { Task { try await delete() } } }
                }
            }
            .buttonStyle(.borderless)
        }
    }

    private func like() async throws {
        let liked = !row.viewerHasLiked
        let patch = RecordPatch(id, [("viewerHasLiked", .set(.boolean(liked))), ("likeCount", .add(liked ? 1 : -1))])
        if liked {
            try await client?.perform(
                LikeMutation(input: LikeThoughtInput(thoughtId: id)), objects: [id], patches: [patch])
        } else {
            try await client?.perform(
                UnlikeMutation(input: UnlikeThoughtInput(thoughtId: id)), objects: [id], patches: [patch])
        }
    }

    private func delete() async throws {
        try await client?.perform(DeleteThoughtMutation(input: DeleteThoughtInput(id: id)), objects: [id])
    }
}
