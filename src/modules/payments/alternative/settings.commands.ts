import { isDeepStrictEqual } from 'node:util'
import { v7 } from 'uuid'
import type { BodyOf } from '#contracts/endpoint'
import type { PaymentBypass, savePaymentBypass } from '#contracts/payments'
import { recordChanges } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import type { PaymentsNeeds } from '../needs'
import { detailsChangedLetter } from './instructions'
import { lockPaymentBypass, writePaymentBypass } from './settings.rows'

type SettingNeeds = Pick<PaymentsNeeds, 'database' | 'identity' | 'now'>

/**
 * Sets the alternative payments. Other details than before need the current password of who sets them, and every
 * superadmin hears of it: they say where families send their money.
 */
export const setPaymentBypass = async (
  { database, identity, now }: SettingNeeds,
  { currentPassword, ...settings }: BodyOf<typeof savePaymentBypass>,
  user: { userId: number },
  by: By,
): Promise<PaymentBypass> => {
  const detailsMoved = await database.knex.transaction(async (transaction) => {
    const before = await lockPaymentBypass(transaction)
    const moved = !isDeepStrictEqual(before, { ...settings, enabled: before.enabled })
    if (moved) await identity.confirmPassword(user.userId, currentPassword)
    await writePaymentBypass(transaction, settings)
    const change = { kind: 'settings', what: 'Payment settings changed', old: before, new: settings } as const
    await recordChanges(transaction, { ...by, at: now() }, [change])
    return moved
  })
  if (detailsMoved) await identity.mailSuperadmins(detailsChangedLetter, `payment-details/${v7()}`)
  return settings
}
