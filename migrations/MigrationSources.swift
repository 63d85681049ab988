/// The migrations in order, embedded so that the executable runs from anywhere.
public enum MigrationSources {
    /// This release's number. The next release that brings migrations has the next one. A server runs on a database that
    /// the release after its own has migrated, so that servers can be replaced, restarted and put back one by one.
    public static let compatibility = 1

    public static let all: [(version: Int, name: String, bytes: [UInt8])] = [
        (1, "roles", PackageResources._001_roles_sql),
        (2, "change_log", PackageResources._002_change_log_sql),
        (3, "accounts", PackageResources._003_accounts_sql),
        (4, "images", PackageResources._004_images_sql),
        (5, "thoughts", PackageResources._005_thoughts_sql),
        (6, "events", PackageResources._006_events_sql),
        (7, "comments", PackageResources._007_comments_sql),
        (8, "write_path", PackageResources._008_write_path_sql),
        (9, "thought_marks", PackageResources._009_thought_marks_sql),
        (11, "chat", PackageResources._011_chat_sql),
        (12, "notifications", PackageResources._012_notifications_sql),
        (14, "changes", PackageResources._014_changes_sql),
        (15, "safety", PackageResources._015_safety_sql),
        (16, "account_mails", PackageResources._016_account_mails_sql),
        (17, "account_removal", PackageResources._017_account_removal_sql),
        (18, "image_store", PackageResources._018_image_store_sql),
        (19, "search", PackageResources._019_search_sql),
        (20, "notification_groups", PackageResources._020_notification_groups_sql),
        (21, "figures", PackageResources._021_figures_sql),
        (22, "change_log_origin", PackageResources._022_change_log_origin_sql),
        (23, "news", PackageResources._023_news_sql),
        (24, "gone_people", PackageResources._024_gone_people_sql),
        (25, "moderated_names", PackageResources._025_moderated_names_sql),
        (26, "comment_places", PackageResources._026_comment_places_sql),
        (27, "one_row_acts", PackageResources._027_one_row_acts_sql),
        (28, "comments_in_the_log", PackageResources._028_comments_in_the_log_sql),
        (31, "change_log_epoch", PackageResources._031_change_log_epoch_sql),
        (32, "receipts_and_suspensions", PackageResources._032_receipts_and_suspensions_sql),
        (33, "gone_acts_and_images", PackageResources._033_gone_acts_and_images_sql),
        (34, "rates", PackageResources._034_rates_sql),
        (36, "session_probe", PackageResources._036_session_probe_sql),
        (37, "names", PackageResources._037_names_sql),
        (38, "search_widened", PackageResources._038_search_widened_sql),
    ]
}
