import type { Ports } from '#platform/ports'
import { getBooksSettings, getRefundWays, saveBooksSettings, type BooksSettings } from '#contracts/books'
import type { BodyOf } from '#contracts/endpoint'
import { saveSettings } from '#platform/changes'
import { withVersion } from '#platform/versions'
import type { By } from '#platform/event-store/command-handler'
import { route, signedIn, withFeature, type Route } from '#platform/http/route'
import type { Knex } from 'knex'
import { kwachaFromNgwee, type Ngwee } from '#kernel/money'

export const booksSettingsRoutes = (needs: Ports): Route[] => [
  route(getBooksSettings, withFeature('settings'), async () =>
    withVersion(record, await readBooksSettings(needs.database.knex)),
  ),
  route(getRefundWays, signedIn, async () => ({
    card: (await readBooksSettings(needs.database.knex)).cardRefunds,
  })),
  route(saveBooksSettings, withFeature('settings'), ({ body, by }) => save(needs, body, by)),
]

const record = 'settings:books'

const save = (
  { database, now }: Ports,
  { version, ...after }: BodyOf<typeof saveBooksSettings>,
  by: By,
): Promise<BooksSettings & { version: string }> =>
  database.knex.transaction(async (transaction) => {
    const at = now()
    const before = settingsOf((await transaction<SettingsRow>('books.settings').forUpdate().first())!)
    const saved = { record, what: 'Books settings changed', version, before, after }
    return saveSettings(transaction, { ...by, at }, saved, () =>
      writeBooksSettings(transaction, { before, after, at }),
    )
  })

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
