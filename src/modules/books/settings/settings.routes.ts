import { getBooksSettings, getRefundWays, saveBooksSettings, type BooksSettings } from '#contracts/books'
import type { BodyOf } from '#contracts/endpoint'
import { Refusal } from '#kernel/refusal'
import type { Identity } from '#modules/identity/index'
import type { Messaging } from '#modules/messaging/index'
import { settingsChangedLetter } from '#modules/messaging/published'
import { saveSettings } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { route, signedIn, withFeature, type Route } from '#platform/http/route'
import type { Ports } from '#platform/ports'
import { withVersion } from '#platform/versions'
import { lockBooksSettings, readBooksSettings, writeBooksSettings } from './settings.rows'

type SettingsNeeds = Ports & { identity: Identity; messaging: Messaging }

export const booksSettingsRoutes = (needs: SettingsNeeds): Route[] => [
  route(getBooksSettings, withFeature('settings'), async () =>
    withVersion(record, await readBooksSettings(needs.database.knex)),
  ),
  route(getRefundWays, signedIn, async () => ({
    card: (await readBooksSettings(needs.database.knex)).cardRefunds,
  })),
  route(saveBooksSettings, withFeature('settings'), ({ body, user, by }) => save(needs, body, user, by)),
]

const record = 'settings:books'

/** Whoever lets more go out by one person alone gives a password; every superadmin hears of another limit. */
const save = (
  { identity, messaging, now }: SettingsNeeds,
  { version, currentPassword, ...after }: BodyOf<typeof saveBooksSettings>,
  user: { userId: number; username: string },
  by: By,
): Promise<BooksSettings & { version: string }> =>
  messaging.tellingSuperadmins(async (transaction, tell) => {
    const at = now()
    const before = await lockBooksSettings(transaction)
    if (isLimitLoosened(before, after)) await confirmed(identity, user.userId, currentPassword)
    const saved = { record, what: 'Books settings changed', version, before, after }
    const reply = await saveSettings(transaction, { ...by, at }, saved, () =>
      writeBooksSettings(transaction, { before, after, at }),
    )
    if (after.refundApprovalAbove !== before.refundApprovalAbove)
      await tell(settingsChangedLetter('The limit for a second approval was', user.username))
    return reply
  })

/** Throws `wrong_current_password`: 422 without one, 403 when it is wrong (versions-budgets-and-proofs.md section 5). */
const confirmed = async (identity: Identity, userId: number, password: string | undefined): Promise<void> => {
  await identity.confirmPassword(userId, password).catch((error: unknown) => {
    if (!password || !(error instanceof Refusal) || error.code !== 'wrong_current_password') throw error
    throw new Refusal(error.code, error.message, { fields: error.fields ?? {}, status: 403 })
  })
}

const isLimitLoosened = (
  { refundApprovalAbove: before }: BooksSettings,
  { refundApprovalAbove: after }: BooksSettings,
): boolean => before !== null && (after === null || after > before)
