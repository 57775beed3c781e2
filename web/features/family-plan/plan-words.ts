import { numberToPayTo, type PaymentBypass } from '#contracts/payments'
import type { PlanAt, PlanFields, PlanPay } from '#contracts/plan'
import { clockTime, counted, dayName } from '../../lib/format'

export const hourText = ({ day, hour, minute }: PlanAt): string =>
  `${dayName(day === 0 ? 7 : day)} ${clockTime(hour, minute)}`

const networks = { airtel: 'Airtel Money', mtn: 'MTN Money' } as const
const ways = { ...networks, bank: 'Bank transfer' } as const

export const payText = (pay: PlanPay, whose: 'your' | 'their' = 'your'): string => {
  if (pay.by === 'prompt') return `${networks[pay.network]}, PIN on ${whose} phone`
  if (pay.by === 'credit') return whose === 'your' ? 'My credit' : 'Credit'
  return ways[pay.by]
}

/** What a family can choose, the prompt first. */
export const waysOf = (settings: PaymentBypass | undefined): PlanPay[] => {
  if (!settings) return []
  const prompts = settings.prompt ? (['airtel', 'mtn'] as const) : []
  const others = (['airtel', 'mtn', 'bank'] as const).filter(
    (by) =>
      (settings.enabled || settings.beside) &&
      numberToPayTo(settings, by) !== '' &&
      (by === 'bank' || !settings.prompt),
  )
  return [
    ...prompts.map((network) => ({ by: 'prompt' as const, network })),
    ...others.map((by) => ({ by })),
    { by: 'credit' as const },
  ]
}

export const keyOf = (pay: PlanPay): string => (pay.by === 'prompt' ? `prompt ${pay.network}` : pay.by)

export const mealsAWeek = ({ children }: Pick<PlanFields, 'children'>): string =>
  counted(
    children.reduce((sum, { days }) => sum + days.length, 0),
    'meal',
  )
