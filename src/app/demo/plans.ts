import { randomUUID } from 'node:crypto'
import { giveCredit } from '#contracts/credit'
import { currentUser } from '#contracts/identity'
import { confirmPhone, getMessageSettings, saveMessageSettings, verifyPhone } from '#contracts/messages'
import { orderPlanWeek, savePlan, type PlanPay } from '#contracts/plan'
import type { SchoolDate } from '#kernel/school-time'
import type { Client, ReadMails } from './client'
import { cartForEverybody, eventually } from './ordering'

type Families = { byPrompt: Client; byCredit: Client }

/** Two plans, and their orders of this week of the cycle: one waits for its PIN, one is paid by credit. Without messages to read nobody's phone is proved. */
export const planWeeks = async (
  office: Client,
  { byPrompt, byCredit }: Families,
  { week, weekNumber, mails }: { week: SchoolDate; weekNumber: number; mails: ReadMails | null },
): Promise<void> => {
  const { id } = await byCredit.call(currentUser)
  await office.call(giveCredit, {
    params: { id },
    body: { amount: 500, reason: 'Prize of the school fair' },
    headers: { 'idempotency-key': randomUUID() },
  })
  await orderByPlan(byCredit, { by: 'credit' }, { week, weekNumber })
  if (!mails) return
  await provePhone(office, byPrompt, mails)
  await orderByPlan(byPrompt, { by: 'prompt', network: 'airtel' }, { week, weekNumber })
}

const orderByPlan = async (
  family: Client,
  pay: PlanPay,
  { week, weekNumber }: { week: SchoolDate; weekNumber: number },
): Promise<void> => {
  const days = [1, 2, 3, 4, 5].map((day) => ({ week: weekNumber, day }))
  const lines = await cartForEverybody(family, { seed: 3, days })
  const children = [...new Set(lines.map(({ studentId }) => studentId))].map((studentId) => ({
    studentId,
    days: lines
      .filter((line) => line.studentId === studentId)
      .map(({ dayOfWeek: day, menuItemId, category, sideDish, discountedPrice, originalPrice }) => ({
        day,
        dishes: [{ menuItemId, category, sideDish, price: discountedPrice ?? originalPrice }],
      })),
  }))
  const at = { day: 0, hour: 17, minute: 0 }
  await family.call(savePlan, { body: { children, at, pay, weekLimit: null } })
  await family.call(orderPlanWeek, { body: { week }, headers: { 'idempotency-key': randomUUID() } })
}

/** SMS are on for as long as the code takes. */
const provePhone = async (office: Client, family: Client, mails: ReadMails): Promise<void> => {
  const { sms, dailyCeiling, orderWithPhone, reminders } = await office.call(getMessageSettings)
  const settings = { sms, dailyCeiling, orderWithPhone, reminders }
  await office.call(saveMessageSettings, { body: { ...settings, sms: true, dailyCeiling: 100 } })
  await family.call(verifyPhone)
  const code = await eventually('No code came to the phone of a plan', async () => {
    const [newest] = (await mails()).flatMap(({ text }) => /^(\d{6})\b/.exec(text)?.[1] ?? [])
    return newest
  })
  await family.call(confirmPhone, { body: { code } })
  await office.call(saveMessageSettings, { body: settings })
}
