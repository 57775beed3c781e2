import { getBooksSettings, getRefundWays, saveBooksSettings, type BooksSettings } from '#contracts/books'
import { Refusal } from '#kernel/refusal'
import type { Identity } from '#modules/identity/index'
import { changedLetters } from '#modules/messaging/published'
import { route, signedIn, withFeature, type Route } from '#platform/http/route'
import { settingsRoutes } from '#platform/settings'
import type { BooksNeeds } from '../ports'
import { booksSettings } from './settings.rows'

export const booksSettingsRoutes = (needs: BooksNeeds): Route[] => [
  ...settingsRoutes(needs, {
    endpoints: [getBooksSettings, saveBooksSettings],
    readers: withFeature('settings'),
    stored: booksSettings,
    what: 'Books settings changed',
    check: async ({ before, after, user, currentPassword }) => {
      if (isLimitLoosened(before, after)) await confirmed(needs.identity, user.userId, currentPassword)
    },
    told: {
      telling: needs.messaging.tellingSuperadmins,
      messages: changedLetters<BooksSettings>({ refundApprovalAbove: 'The limit for a second approval was' }),
    },
  }),
  route(getRefundWays, signedIn, async () => ({
    card: (await booksSettings.read(needs.database.knex)).cardRefunds,
  })),
]

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
