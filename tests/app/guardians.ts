import {
  acceptGuardianInvite,
  inviteGuardian,
  listGuardians,
  removeGuardian,
  withdrawInvite,
} from '#contracts/accounts'
import { statementOfAccount, statementOfAccountCsv, getReceipt } from '#contracts/books'
import { errorReply } from '#contracts/endpoint'
import { getHealth, saveHealth, mealMarks } from '#contracts/health'
import {
  type Student,
  addStudent,
  currentUser,
  verifyEmail,
  deleteStudent,
  listStudents,
  updateStudent,
} from '#contracts/identity'
import {
  type Order,
  cancelOrder,
  changeOrder,
  getOrderingRules,
  listOrders,
  moveOrder,
  placeOrders,
  saveOrderingRules,
  setAbsence,
} from '#contracts/ordering'
import { createPayment, promptAgain, recordAttempt, updateAttempt, verifyPayment } from '#contracts/payments'
import { savePlan, skipPlanDay, type PlanFields } from '#contracts/plan'
import { type Client, CallRefused } from '../../src/app/demo/client'
import { type Canteen, place } from '../ordering/canteen'
import { eventually } from '../support/eventually'
import { mailTo } from '../support/mails'

export type Person = { client: Client; userId: number; email: string }

/** `ok`, or the code of the refusal: of the first line, where lines were refused. */
export const answerOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'ok',
    (error: unknown) => {
      if (!(error instanceof CallRefused)) throw error
      const { code, lines } = error.body as { code: string; lines?: { code: string }[] }
      return lines?.[0]?.code ?? code
    },
  )

const accept = (client: Client, token: string) =>
  client.call(acceptGuardianInvite, { params: { idOrCode: token } })

/** People of a school who become guardians of one another's children by its mails. */
export const guardiansOf = (canteen: Canteen) => {
  const followed = new Set<string>()

  const confirm = async (client: Client, email: string): Promise<void> => {
    const { text } = await mailTo(canteen, email, 'Please confirm')
    const { searchParams } = new URL(/http\S+verify-email\S+/.exec(text)![0])
    await client.call(verifyEmail, { body: { token: searchParams.get('token')! } })
  }

  const person = async (username: string): Promise<Person> => {
    const email = `${username}@example.org`
    const client = await canteen.parent(username, { email })
    await confirm(client, email)
    return { client, userId: (await client.call(currentUser)).id, email }
  }

  let children = 0
  /** A child of names that no other has: a small one eats for nothing, a big one does not. */
  const childOf = (first: Person, size: 'small' | 'big') => {
    children += 1
    const [name, grade] = size === 'small' ? (['Chipo', '3'] as const) : (['Taonga', '9'] as const)
    return first.client.call(addStudent, { body: { name: `${name} ${children}`, grade } })
  }

  /** A parent with a small child and a big one. */
  const firstGuardian = async (username: string) => {
    const first = await person(username)
    return { first, small: await childOf(first, 'small'), big: await childOf(first, 'big') }
  }

  /** The secret in the link of a new invitation. */
  const invited = async (first: Client, child: Student, email: string): Promise<string> => {
    await first.call(inviteGuardian, { params: { id: child.id }, body: { email } })
    return eventually(async () => {
      const { text } = await mailTo(canteen, email, 'You are invited')
      const token = /\/guardian-invite\/([\w-]+)/.exec(text)![1]!
      if (followed.has(token)) return false
      followed.add(token)
      return token
    })
  }

  const becomeSecond = async (first: Person, second: Person, ...children: Student[]): Promise<void> => {
    for (const child of children)
      await accept(second.client, await invited(first.client, child, second.email))
  }

  return { confirm, person, childOf, firstGuardian, invited, accept, becomeSecond }
}

export type Family = {
  first: Person
  /** A second guardian of both until now. */
  former: Person
  small: Student
  big: Student
  /** Of the first guardian's payment. */
  token: string
  receipt: string
}

export type Who = 'first' | 'second' | 'former' | 'stranger'

/** What the first guardian, a second one, a former second one and a stranger are answered. */
type Step = { ask: (client: Client) => Promise<unknown>; answers: [string, string, string, string] }

const guardians = (refused: string): Step['answers'] => ['ok', 'ok', refused, refused]
const firstAlone = (second: string, refused: string): Step['answers'] => ['ok', second, refused, refused]

/** Another day of weeks 3 and 4 each time. */
const daysOf = () => {
  let day = -1
  return () => {
    day += 1
    return { weekNumber: 3 + Math.floor(day / 5), dayOfWeek: 1 + (day % 5) }
  }
}

/** Free porridge on Mondays. */
export const porridgePlan = (canteen: Canteen, { id: studentId }: Student): PlanFields => {
  const dish = { menuItemId: canteen.items.porridge.id, category: 'chicken', sideDish: 'Banana', price: 0 }
  return {
    children: [{ studentId, days: [{ day: 1, dishes: [dish] }] }],
    at: { day: 0, hour: 17, minute: 0 },
    pay: { by: 'credit' },
    weekLimit: null,
  }
}

/** The school offers plans; its other rules are the first ones. */
export const offerPlans = async ({ superadminClient }: Canteen): Promise<void> => {
  const { version: _version, ...rules } = await superadminClient.call(getOrderingRules)
  await superadminClient.call(saveOrderingRules, { body: { ...rules, plans: true } })
}

/** Every route that gives a family its own, asked about a child that has two guardians. */
export const guardianWalk = (canteen: Canteen, family: Family): Record<string, Step> => {
  const [smallsDay, bigsDay] = [daysOf(), daysOf()]
  const porridge = () => canteen.porridgeFor(family.small, 1, smallsDay())
  const ordered = async () => (await place(family.first.client, [porridge()]))[0]!
  let kept: Promise<Order> | null = null
  /** An order that stays, whatever is asked about it. */
  const keptOrder = () => (kept ??= ordered())
  const small = () => ({ id: family.small.id })
  const health = { allergies: [], diet: 'none' as const, medicalNote: '', noteConsent: false }
  const year = () => ({ from: '2026-01-01', to: '2026-12-31', parentId: family.first.userId })
  const token = () => family.token
  const none = 'student_not_found'
  const plan = () => porridgePlan(canteen, family.small)

  return {
    'GET /api/students': {
      ask: async (by) => mustSee((await by.call(listStudents)).some(({ id }) => id === small().id)),
      answers: guardians('not shown'),
    },
    'GET /api/orders': {
      ask: async (by) => {
        const { id } = await keptOrder()
        return mustSee(((await by.call(listOrders)) as Order[]).some((order) => order.id === id))
      },
      answers: guardians('not shown'),
    },
    'GET /api/students/meal-marks': {
      ask: async (by) =>
        mustSee((await by.call(mealMarks)).students.some(({ studentId }) => studentId === small().id)),
      answers: guardians('not shown'),
    },
    'PUT /api/students/:id': {
      ask: (by) => by.call(updateStudent, { params: small(), body: { name: 'Chipo', grade: '3' } }),
      answers: firstAlone(none, none),
    },
    'DELETE /api/students/:id': {
      ask: (by) => keptOrder().then(() => by.call(deleteStudent, { params: small() })),
      answers: ['student_has_orders', none, none, none],
    },
    'GET /api/students/:id/health': {
      ask: (by) => by.call(getHealth, { params: small() }),
      answers: guardians(none),
    },
    'PUT /api/students/:id/health': {
      ask: (by) => by.call(saveHealth, { params: small(), body: health }),
      answers: guardians(none),
    },
    'GET /api/students/:id/guardians': {
      ask: (by) => by.call(listGuardians, { params: small() }),
      answers: guardians(none),
    },
    'POST /api/students/:id/guardians/invite': {
      ask: (by) => by.call(inviteGuardian, { params: small(), body: { email: 'aunt@example.org' } }),
      answers: firstAlone('first_guardian_only', none),
    },
    'DELETE /api/students/:id/guardians/invites/:inviteId': {
      ask: async (by) => {
        const body = { email: 'uncle@example.org' }
        const { id: inviteId } = await family.first.client.call(inviteGuardian, { params: small(), body })
        return by.call(withdrawInvite, { params: { ...small(), inviteId } })
      },
      answers: firstAlone('first_guardian_only', none),
    },
    'DELETE /api/students/:id/guardians/:userId': {
      ask: (by) => by.call(removeGuardian, { params: { ...small(), userId: family.former.userId } }),
      answers: ['guardian_not_found', 'first_guardian_only', none, none],
    },
    'POST /api/orders': {
      ask: (by) => by.call(placeOrders, { body: [porridge()] }),
      answers: guardians(none),
    },
    'PUT /api/plan': {
      ask: (by) => offerPlans(canteen).then(() => by.call(savePlan, { body: plan() })),
      answers: guardians(none),
    },
    'POST /api/plan/skip': {
      ask: async (by) => {
        await by.call(savePlan, { body: plan() })
        const day = { studentId: family.small.id, date: '2026-09-21', skip: true }
        return by.call(skipPlanDay, { body: day })
      },
      answers: guardians(none),
    },
    'POST /api/orders/:id/cancel': {
      ask: async (by) => by.call(cancelOrder, { params: { id: (await ordered()).id } }),
      answers: guardians('order_not_found'),
    },
    'POST /api/orders/:id/absent': {
      ask: async (by) =>
        by.call(setAbsence, { params: { id: (await keptOrder()).id }, body: { absent: true } }),
      answers: ['absence_too_early', 'absence_too_early', 'order_not_found', 'order_not_found'],
    },
    'POST /api/orders/:id/change': {
      ask: async (by) => {
        const { id } = await keptOrder()
        const body = { menuItemId: canteen.items.porridge.id, category: 'vegetarian', sideDish: 'Bread' }
        return by.call(changeOrder, { params: { id }, body: { ...body, discountedPrice: 0 } })
      },
      answers: guardians('order_not_found'),
    },
    'POST /api/orders/:id/move': {
      ask: async (by) => {
        const { id, mealDate } = await keptOrder()
        return by.call(moveOrder, { params: { id }, body: { date: mealDate } })
      },
      answers: guardians('order_not_found'),
    },
    'POST /api/payments/attempts/:id/prompt': {
      ask: (by) => by.call(promptAgain, { params: { id: token() }, body: undefined }),
      answers: firstAlone('attempt_not_found', 'attempt_not_found'),
    },
    'POST /api/payments/create': {
      ask: (by) => {
        const cartItems = [canteen.stewFor(family.big, 1, bigsDay())]
        return by.call(createPayment, { body: { amount: 45.5, cartItems } })
      },
      answers: guardians(none),
    },
    'POST /api/payments/payment-attempts': {
      ask: (by) => by.call(recordAttempt, { body: { transactionId: token() } }),
      answers: firstAlone('attempt_not_found', 'attempt_not_found'),
    },
    'POST /api/payments/payment-attempts/update': {
      ask: (by) => by.call(updateAttempt, { body: { transactionId: token(), transactionStatus: 'failed' } }),
      answers: firstAlone('attempt_not_found', 'attempt_not_found'),
    },
    'POST /api/payments/verify/:transactionId': {
      ask: (by) => by.call(verifyPayment, { params: { transactionId: token() } }),
      answers: firstAlone('attempt_not_found', 'attempt_not_found'),
    },
    'GET /api/receipts/:number': {
      ask: (by) => by.call(getReceipt, { params: { number: family.receipt } }),
      answers: firstAlone('receipt_not_found', 'receipt_not_found'),
    },
    'GET /api/statement-of-account': {
      ask: (by) => by.call(statementOfAccount, { query: year() }),
      answers: firstAlone('parent_not_found', 'parent_not_found'),
    },
    'GET /api/statement-of-account/csv': {
      ask: async (by) => {
        const asked = new URLSearchParams(Object.entries(year()).map(([key, value]) => [key, `${value}`]))
        const answer = await by.fetch(`${statementOfAccountCsv.path}?${asked}`)
        if (!answer.ok) throw new CallRefused(answer.status, errorReply.parse(await answer.json()), '')
      },
      answers: firstAlone('parent_not_found', 'parent_not_found'),
    },
  }
}

const mustSee = async (found: boolean) => {
  if (!found) throw notShown()
}

/** A list leaves out what was asked for. */
const notShown = () => new CallRefused(200, { message: '', error: '', code: 'not shown' }, '')
