import { giveCredit } from '#contracts/credit'
import type { Student } from '#contracts/identity'
import { saveOrderingRules, type Order, listOrders } from '#contracts/ordering'
import { savePaymentBypass } from '#contracts/payments'
import { endPlan, getPlan, savePlan, type PlanFields, type PlanReply } from '#contracts/plan'
import type { Client } from '../../src/app/demo/client'
import { openCanteen } from '../ordering/canteen'
import { superadminPassword } from '../support/school'

const byPhone = {
  enabled: false,
  beside: true,
  prompt: true,
  unpaidUntil: 'never' as const,
  airtelMoney: { name: 'School', number: '0977000111' },
  mtnMoney: { name: '', number: '' },
  bankTransfer: { bankName: '', accountName: '', accountNumber: '12', branchName: '', swiftCode: '' },
}

export const hours = {
  friday: '2026-09-18T10:00:00+02:00',
  announced: '2026-09-20T16:50:00+02:00',
  sunday17: '2026-09-20T17:00:00+02:00',
  sunday18: '2026-09-20T18:00:00+02:00',
}
export const nextMonday = '2026-09-21'

export type PlanSchool = Awaited<ReturnType<typeof openPlanSchool>>

/** The canteen on a Friday, with prompts and plans; a plan's week is the second, of which Wednesday is closed. */
export const openPlanSchool = async () => {
  const canteen = await openCanteen()
  const office = canteen.superadminClient
  await office.call(savePaymentBypass, { body: { ...byPhone, currentPassword: superadminPassword } })
  const rules = {
    cancelUntil: 'cutoff' as const,
    lateRemedy: 'credit' as const,
    absence: 'none' as const,
    absencePercent: 100,
    lowPortions: 10,
  }
  const offer = (plans: boolean) => office.call(saveOrderingRules, { body: { ...rules, plans } })
  await offer(true)
  canteen.setClock(hours.friday)
  const { pool } = canteen.infrastructure.database
  const planners: Client[] = []

  return {
    ...canteen,
    rules,
    offer,
    ways: (more: Partial<typeof byPhone>) =>
      office.call(savePaymentBypass, { body: { ...byPhone, ...more, currentPassword: superadminPassword } }),
    /** A parent whose phone is proved, with one child in grade 9. */
    planner: async (username: string, phone: string | null) => {
      const { userId, children } = await canteen.payingFamily(username, '9')
      if (phone !== null)
        await pool.query(
          `update identity.users set phone = $2, "phoneVerifiedAt" = now(), "emailVerifiedAt" = now() where id = $1`,
          [userId, phone],
        )
      const parent = await canteen.signIn(username, 'parent-password')
      planners.push(parent)
      return { parent, userId, child: children[0]! }
    },
    /** Plans of one hour are paced together: those of one test end with it. */
    endPlans: async () => {
      for (const parent of planners.splice(0)) await parent.call(endPlan)
    },
    /** Stew on these weekdays at K45.50. */
    planFor: (child: Student, days: number[], more: Partial<PlanFields> = {}): PlanFields => ({
      children: [
        {
          studentId: child.id,
          days: days.map((day) => ({
            day,
            dishes: [{ menuItemId: canteen.items.stew.id, category: 'beef', sideDish: null, price: 45.5 }],
          })),
        },
      ],
      at: { day: 0, hour: 17, minute: 0 },
      pay: { by: 'prompt', network: 'airtel' },
      weekLimit: null,
      ...more,
    }),
    /** What the payer presses on the phone's newest prompt; answers how many wait. */
    onPhone: async (number: string, choice: string | null) => {
      const page = await (await canteen.visitor().fetch(`/sandbox/phone/${number}`)).text()
      const prompts = [...page.matchAll(/name="prompt" value="([^"]+)"/g)].map(([, name]) => name!)
      if (choice !== null)
        await canteen.visitor().fetch(`/sandbox/phone/${number}`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({ choice, prompt: prompts.at(-1) ?? '' }).toString(),
        })
      return prompts.length
    },
    /** Subjects of what the family was written, oldest first. */
    told: async (userId: number): Promise<string[]> => {
      const { rows } = await pool.query<{ subject: string }>(
        `select subject from messaging.mail_outbox where "userId" = $1 order by "createdAt", id`,
        [userId],
      )
      return rows.map(({ subject }) => subject)
    },
    gift: (id: number, amount: number) =>
      office.call(giveCredit, { params: { id }, body: { amount, reason: 'A gift' } }),
    at: async (clock: string) => {
      canteen.setClock(clock)
      await canteen.sweep()
    },
  }
}

export const weekOf = async (
  parent: Client,
  week = nextMonday,
): Promise<PlanReply['weeks'][number] | undefined> =>
  (await parent.call(getPlan)).weeks.find((one) => one.week === week)

export const ordersOf = async (parent: Client): Promise<Order[]> => (await parent.call(listOrders)) as Order[]

export const set = (
  parent: Client,
  plan: PlanFields & { paused?: boolean; version?: string },
): Promise<PlanReply> => parent.call(savePlan, { body: plan })
