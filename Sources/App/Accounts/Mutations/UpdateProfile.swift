import GraphQL
import Postgres

struct UpdateProfile: ViewerMutation {
    static let name = "updateProfile"
    static let imageArgument: ImageArgument? = ImageArgument(name: "avatar", field: "avatarId")

    let id: UUID
    private let displayName: String?
    private let username: Patch<String>
    private let bio: Patch<String>
    private let avatar: Patch<TypeID>
    let userErrors: [UserError]

    init(_ input: InputObject, _ context: RequestContext) throws {
        id = try context.requireViewer().userID
        avatar = try input.decode("avatarId")
        var texts = InputText()
        displayName = try input.patch(String.self, "displayName").map {
            texts.required(
                $0, "displayName", "The name", InputText.nameLength, maximumBytes: InputText.nameBytes)
        }
        texts.checkName(displayName)
        let name: Patch<String> = try input.decode("username")
        username =
            switch name {
            case .value(let text): texts.username(text).map(Patch.value) ?? .null
            case .absent, .null: name
            }
        bio = texts.patch(try input.decode("bio"), "bio", "The text about you", maximum: InputText.bioLength)
        userErrors = texts.errors
    }

    var storedErrors: SQL? {
        let disguise = displayName.flatMap(NameDisguise.init)
        if username.value == nil, disguise == nil { return nil }
        return """
            array[case when username_is_taken(\(username.value), viewer_id()) then 'TAKEN username' end, \
            case when imitates_somebody(\(disguise?.name), \(disguise?.skeleton), viewer_id()) \
            then 'TAKEN displayName' end]
            """
    }

    /// Refuses an account that is deleted and whose access token is still accepted: its row is hidden from itself.
    var write: SQL {
        """
        with changed as (update users u set display_name = coalesce(\(displayName), u.display_name), \
        name_skeleton = coalesce(\(displayName.map(NameSkeleton.of)), u.name_skeleton), \
        username = case when \(username.isPresent) then \(username.value) else u.username end, \
        bio = case when \(bio.isPresent) then \(bio.value) else u.bio end, \
        avatar_id = case when \(avatar.isPresent) then \(avatar.value?.uuid) else u.avatar_id end \
        where u.id = viewer_id() and case when u.is_anonymous then refuse('FORBIDDEN', 'SIGN_UP_REQUIRED') \
        when \(avatar.value?.uuid)::uuid is not null \
        and not exists (select from images i where i.id = \(avatar.value?.uuid) and i.owner_id = viewer_id()) \
        then refuse('NOT_FOUND') else refuse_user_errors(\(storedErrors ?? "'{}'")) end returning u.id) \
        select true where case when exists (select from changed) then true else refuse('UNAUTHENTICATED') end
        """
    }

    static func userError(constraint: String) -> UserError? {
        ["users_username_key", "users_username_skeleton_key"].contains(constraint) ? .usernameTaken : nil
    }
}
