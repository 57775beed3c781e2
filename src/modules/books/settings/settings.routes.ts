import { getBooksSettings, saveBooksSettings, type BooksSettings } from '#contracts/books-settings'
import { recordChanges } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import { route, withFeature, type Route } from '#platform/http/route'
import type { BooksNeeds } from '../needs'
import { readBooksSettings, writeBooksSettings } from './settings.rows'

type SettingsNeeds = Pick<BooksNeeds, 'database' | 'now'>

/** What stands on receipts, and how refunds go back, as the office sets it. */
export const booksSettingsRoutes = (needs: SettingsNeeds): Route[] => [
  route(getBooksSettings, withFeature('settings'), () => readBooksSettings(needs.database.knex)),
  route(saveBooksSettings, withFeature('settings'), async ({ body, actor, correlationId }) => {
    await saveSettings(needs, body, { actor, correlationId })
    return body
  }),
]

const saveSettings = ({ database, now }: SettingsNeeds, settings: BooksSettings, by: By): Promise<void> =>
  database.knex.transaction(async (transaction) => {
    const at = now()
    const old = await writeBooksSettings(transaction, settings, at)
    const what = 'Books settings changed'
    await recordChanges(transaction, { ...by, at }, [{ kind: 'settings', what, old, new: settings }])
  })
