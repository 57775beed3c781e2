import type { Knex } from 'knex'
import { getBooksSettings, getRefundWays, saveBooksSettings, type BooksSettings } from '#contracts/books'
import type { BodyOf } from '#contracts/endpoint'
import { kwachaFromNgwee, type Ngwee } from '#kernel/money'
import { Refusal } from '#kernel/refusal'
import type { Identity } from '#modules/identity/index'
import type { Messaging } from '#modules/messaging/index'
import { settingsChangedLetter } from '#modules/messaging/published'
import { saveSettings } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { route, signedIn, withFeature, type Route } from '#platform/http/route'
import type { Ports } from '#platform/ports'
import { withVersion } from '#platform/versions'

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
    const before = settingsOf((await transaction<SettingsRow>('books.settings').forUpdate().first())!)
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

/** One row; amount in ngwee, percentage as decimal digits. */
type SettingsRow = {
  tpin: string
  address: string
  vat_percent: string | null
  refund_approval_above: Ngwee | null
  card_refunds: boolean
}

export const readBooksSettings = async (knex: Knex): Promise<BooksSettings> =>
  settingsOf((await knex<SettingsRow>('books.settings').first())!)

const settingsOf = (row: SettingsRow): BooksSettings => ({
  tpin: row.tpin,
  address: row.address,
  vatPercent: row.vat_percent === null ? null : Number(row.vat_percent),
  refundApprovalAbove: row.refund_approval_above === null ? null : kwachaFromNgwee(row.refund_approval_above),
  cardRefunds: row.card_refunds,
})

const writeBooksSettings = async (
  transaction: Knex.Transaction,
  { before, after: settings, at }: { before: BooksSettings; after: BooksSettings; at: Date },
): Promise<void> => {
  await transaction<SettingsRow>('books.settings').update({
    tpin: settings.tpin,
    address: settings.address,
    vat_percent: settings.vatPercent === null ? null : String(settings.vatPercent),
    refund_approval_above:
      settings.refundApprovalAbove === null ? null : Math.round(settings.refundApprovalAbove * 100),
    card_refunds: settings.cardRefunds,
  })
  if (before.vatPercent !== settings.vatPercent)
    await transaction('books.vat_rates')
      .insert({ since: at, percent: settings.vatPercent })
      .onConflict('since')
      .merge()
}

export const vatPercentAt = async (knex: Knex, at: Date): Promise<number | null> => {
  const [percent] = await knex('books.vat_rates')
    .where('since', '<=', at)
    .orderBy('since', 'desc')
    .limit(1)
    .pluck<(string | null)[]>('percent')
  return percent === undefined || percent === null ? null : Number(percent)
}
