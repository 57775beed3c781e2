import { isDeepStrictEqual } from 'node:util'
import type { BodyOf } from '#contracts/endpoint'
import type { PaymentBypass, savePaymentBypass } from '#contracts/payments'
import { recordChanges } from '#platform/changes'
import type { By } from '#platform/event-store/command-handler'
import type { PaymentsNeeds } from '../needs'
import { detailsChangedLetter } from './instructions'
import { lockPaymentBypass, writePaymentBypass } from './settings.rows'

type SettingNeeds = Pick<PaymentsNeeds, 'identity' | 'now'>

/**
 * Sets the alternative payments. Other details than before need the current password of who sets them, and every
 * superadmin hears of it: they say where families send their money.
 */
export const setPaymentBypass = (
  { identity, now }: SettingNeeds,
  { currentPassword, ...settings }: BodyOf<typeof savePaymentBypass>,
  user: { userId: number },
  by: By,
): Promise<PaymentBypass> =>
  identity.tellingSuperadmins(async (transaction, tell) => {
    const before = await lockPaymentBypass(transaction)
    const { enabled, beside, unpaidUntil } = before
    const moved = !isDeepStrictEqual(before, { ...settings, enabled, beside, unpaidUntil })
    if (moved) await identity.confirmPassword(user.userId, currentPassword)
    const at = now()
    await writePaymentBypass(transaction, settings, at)
    const change = { kind: 'settings', what: 'Payment settings changed', old: before, new: settings } as const
    await recordChanges(transaction, { ...by, at }, [change])
    if (moved) await tell(detailsChangedLetter)
    return settings
  })
