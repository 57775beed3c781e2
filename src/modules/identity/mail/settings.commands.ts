import type { Knex } from 'knex'
import { recordChanges } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import type { IdentityNeeds } from '../needs'
import { readSecurity, writeSecurity, type Security } from '../accounts/security.rows'
import { readCommunication, writeCommunication, type Communication } from './communication.rows'

/** How people reach the school, and what it demands of accounts. */
export const settingsCommands = ({ database: { knex }, now }: Pick<IdentityNeeds, 'database' | 'now'>) => {
  const saving =
    <Settings extends Record<string, unknown>>(
      what: string,
      write: (transaction: Knex.Transaction, settings: Settings) => Promise<Settings>,
    ) =>
    async (settings: Settings, by: By): Promise<Settings> => {
      await knex.transaction(async (transaction) => {
        const old = await write(transaction, settings)
        await recordChanges(transaction, { ...by, at: now() }, [
          { kind: 'settings', what, old, new: settings },
        ])
      })
      return settings
    }
  return {
    readCommunication: (): Promise<Communication> => readCommunication(knex),
    readSecurity: (): Promise<Security> => readSecurity(knex),
    saveCommunication: saving('Contact details of the school changed', writeCommunication),
    saveSecurity: saving('Security settings changed', writeSecurity),
  }
}
