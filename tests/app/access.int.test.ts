import { readFileSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { v7 } from 'uuid'
import { inviteGuardian, listGuardians, removeGuardian, withdrawInvite } from '#contracts/accounts'
import { statementOfAccount, statementOfAccountCsv, getReceipt } from '#contracts/books'
import { nothing } from '#contracts/endpoint'
import { getHealth, saveHealth, mealMarks } from '#contracts/health'
import {
  type Student,
  convertToTeacher,
  featureNames,
  addStudent,
  currentUser,
  deleteStudent,
  endSession,
  listSessions,
  listStudents,
  updateStudent,
} from '#contracts/identity'
import { cancelOrder, changeOrder, listOrders, moveOrder, placeOrders, setAbsence } from '#contracts/ordering'
import { createPayment, promptAgain, recordAttempt, updateAttempt, verifyPayment } from '#contracts/payments'
import { liveOrders } from '#contracts/payments-console'
import { savePlan, skipPlanDay } from '#contracts/plan'
import { type Route, addressOf } from '#platform/http/route'
import type { Client } from '../../src/app/demo/client'
import { type Canteen, openCanteen, place, refused } from '../ordering/canteen'
import {
  type Visitor,
  describeAccess,
  accessCases,
  nowhereOn,
  verdictOf,
  accessTable,
  isForFamilies,
  whose,
} from '../support/access'
import { eventually } from '../support/eventually'
import { administrator, parent, serveModule, teacher } from '../support/module-server'
import { offerPlans, porridgePlan } from './guardians'

let canteen: Canteen

beforeAll(async () => {
  canteen = await openCanteen()
})
afterAll(() => canteen.close())

describe('access', () => {
  /** Every route as the service serves it, with an act that does nothing: who may call it is asked before. */
  const idle = (route: Route): Route =>
    route.kind === 'raw'
      ? { ...route, serve: async (context) => void (context.body = '{}') }
      : {
          ...route,
          endpoint: { ...route.endpoint, params: nothing, query: nothing, body: nothing, reply: nothing },
          handle: async () => ({}),
        }
  const visitors: Visitor[] = [
    { name: 'nobody', principal: null },
    { name: 'a.parent', principal: parent },
    { name: 'a.teacher', principal: teacher },
    { name: 'superadmin', principal: { ...administrator(3), isSuperadmin: true } },
    ...featureNames.map((feature, index) => ({
      name: `only.${feature}`,
      principal: administrator(4 + index, feature),
    })),
  ]

  test('every route admits exactly those it is for', async () => {
    const routes = describeAccess(canteen.routes)
    expect(routes.length).toBeGreaterThan(40)
    const server = await serveModule({ routes: canteen.routes.map(idle), refusals: {} })
    const agent = new Agent({ keepAlive: true })
    const wrong: string[] = []
    for (const { method, path, visitor, expected } of accessCases(routes, visitors)) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : {}
      const verdict = verdictOf(await server.ask(visitor.principal, nowhereOn(path), { method, body, agent }))
      if (verdict !== expected)
        wrong.push(`${method} ${path} by ${visitor.name}: ${verdict}, expected ${expected}`)
    }
    agent.destroy()
    await server.close()
    expect(wrong).toEqual([])
  })

  test('every feature that a route asks for is one that an administrator can hold', () => {
    const asked = canteen.routes.flatMap(({ access }) => (access.kind === 'features' ? access.features : []))
    expect(asked.filter((feature) => !(featureNames as readonly string[]).includes(feature))).toEqual([])
  })

  test('no route stands behind an earlier one that takes its address', () => {
    const taken = canteen.routes.map(addressOf)
    const hidden = taken.filter(({ method, path }, index) =>
      taken.slice(0, index).some((earlier) => {
        const pattern = new RegExp(`^${earlier.path.replaceAll(/:\\w+/g, '[^/]+')}$`)
        return earlier.method === method && pattern.test(path)
      }),
    )
    expect(hidden).toEqual([])
  })
})

const page = join(__dirname, '../../docs/access.md')
const [begin, end] = ['<!-- written by tests/app/access.int.test.ts: begin -->', '<!-- end -->']

const routes = () => describeAccess(canteen.routes)

/** `WRITE_ACCESS=1 npx jest --testPathPatterns access-table` writes the page anew. */
test('docs/access.md says of every route who may call it, and whose things it gives', () => {
  const text = readFileSync(page, 'utf8')
  const [before, after] = [text.slice(0, text.indexOf(begin)), text.slice(text.indexOf(end))]
  const wanted = `${before}${begin}\n\n${accessTable(routes()).join('\n')}\n\n${after}`
  if (process.env.WRITE_ACCESS) writeFileSync(page, wanted)
  expect(readFileSync(page, 'utf8')).toBe(wanted)
})

test('of every route open to families it is said whose things it gives, and of no other', () => {
  const open = routes()
    .filter(isForFamilies)
    .map(({ method, path }) => `${method} ${path}`)
  expect(Object.keys(whose).toSorted()).toEqual(open.toSorted())
})

describe('ownership', () => {
  type Family = {
    parent: Client
    parentId: number
    small: Student
    big: Student
    orderId: string
    token: string
  }
  type Ask = (client: Client, family: Family) => Promise<unknown>

  let family: Family
  let others: Record<'parent' | 'teacher', Client>
  let untouched: Awaited<ReturnType<typeof everything>>
  beforeAll(async () => {
    family = await firstFamily()
    await offerPlans(canteen)
    await (await canteen.parent('chola', { email: 'chola@example.org' })).call(convertToTeacher)
    others = {
      parent: await canteen.parent('thandiwe', { email: 'thandiwe@example.org' }),
      teacher: await canteen.signIn('chola', 'parent-password'),
    }
    untouched = await everything()
  })

  /** Two children, an order, a payment with its receipt and an open one. */
  const firstFamily = async (): Promise<Family> => {
    const parent = await canteen.parent('mwila', { email: 'mwila@example.org' })
    const { id: parentId } = await parent.call(currentUser)
    const small = await parent.call(addStudent, { body: { name: 'Chipo', grade: '3' } })
    const big = await parent.call(addStudent, { body: { name: 'Taonga', grade: '9' } })
    const [order] = await place(parent, [canteen.porridgeFor(small, 2)], 'the-family-key')
    const paid = { amount: 45.5, cartItems: [canteen.stewFor(big, 2)] }
    await payOnPage(parent, (await parent.call(createPayment, { body: paid })).TransToken)
    await eventually(() => parent.call(getReceipt, { params: { number: '2026-000001' } }))
    const body = { amount: 45.5, cartItems: [canteen.stewFor(big, 3)] }
    const { TransToken: token } = await parent.call(createPayment, { body })
    return { parent, parentId, small, big, orderId: order!.id, token }
  }

  const payOnPage = async (parent: Client, token: string): Promise<void> => {
    await canteen.visitor().fetch(`/sandbox/pay/${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ outcome: 'pay', card: '4111111111111111' }).toString(),
    })
    await parent.call(verifyPayment, { params: { transactionId: token } })
  }

  const everything = async () => ({
    students: await family.parent.call(listStudents),
    orders: await family.parent.call(listOrders),
    attempts: (await canteen.superadminClient.call(liveOrders, { query: {} })).data.map((row) => [
      row.status,
      row.transactionId,
    ]),
  })

  /** Calls that name another family's thing, by route, and what they must answer. */
  const forbidden: Record<string, { ask: Ask; answer: { status: number; code: string } }> = {
    'PUT /api/students/:id': {
      ask: (client, { small }) =>
        client.call(updateStudent, { params: { id: small.id }, body: { name: 'Taken', grade: '3' } }),
      answer: { status: 404, code: 'student_not_found' },
    },
    'DELETE /api/user/sessions/:id': {
      ask: async (client, { parent }) => {
        const [session] = await parent.call(listSessions)
        return client.call(endSession, { params: { id: session!.id } })
      },
      answer: { status: 404, code: 'session_not_found' },
    },
    'DELETE /api/students/:id': {
      ask: (client, { small }) => client.call(deleteStudent, { params: { id: small.id } }),
      answer: { status: 404, code: 'student_not_found' },
    },
    'GET /api/students/:id/health': {
      ask: (client, { small }) => client.call(getHealth, { params: { id: small.id } }),
      answer: { status: 404, code: 'student_not_found' },
    },
    'PUT /api/students/:id/health': {
      ask: (client, { small }) =>
        client.call(saveHealth, {
          params: { id: small.id },
          body: { allergies: [], diet: 'none', medicalNote: '', noteConsent: false },
        }),
      answer: { status: 404, code: 'student_not_found' },
    },
    'GET /api/students/:id/guardians': {
      ask: (client, { small }) => client.call(listGuardians, { params: { id: small.id } }),
      answer: { status: 404, code: 'student_not_found' },
    },
    'POST /api/students/:id/guardians/invite': {
      ask: (client, { small }) =>
        client.call(inviteGuardian, { params: { id: small.id }, body: { email: 'other@example.org' } }),
      answer: { status: 404, code: 'student_not_found' },
    },
    'DELETE /api/students/:id/guardians/invites/:inviteId': {
      ask: (client, { small }) => client.call(withdrawInvite, { params: { id: small.id, inviteId: v7() } }),
      answer: { status: 404, code: 'student_not_found' },
    },
    'DELETE /api/students/:id/guardians/:userId': {
      ask: (client, { small, parentId }) =>
        client.call(removeGuardian, { params: { id: small.id, userId: parentId } }),
      answer: { status: 404, code: 'student_not_found' },
    },
    'POST /api/orders': {
      ask: (client, { small }) => client.call(placeOrders, { body: [canteen.porridgeFor(small, 4)] }),
      answer: { status: 422, code: 'lines_refused' },
    },
    'PUT /api/plan': {
      ask: (client, { small }) => client.call(savePlan, { body: porridgePlan(canteen, small) }),
      answer: { status: 404, code: 'student_not_found' },
    },
    'POST /api/plan/skip': {
      ask: (client, { small }) =>
        client.call(skipPlanDay, { body: { studentId: small.id, date: '2026-09-21', skip: true } }),
      answer: { status: 404, code: 'student_not_found' },
    },
    'POST /api/orders/:id/cancel': {
      ask: (client, { orderId }) => client.call(cancelOrder, { params: { id: orderId } }),
      answer: { status: 404, code: 'order_not_found' },
    },
    'POST /api/orders/:id/absent': {
      ask: (client, { orderId }) =>
        client.call(setAbsence, { params: { id: orderId }, body: { absent: true } }),
      answer: { status: 404, code: 'order_not_found' },
    },
    'POST /api/orders/:id/change': {
      ask: (client, { orderId }) =>
        client.call(changeOrder, {
          params: { id: orderId },
          body: {
            menuItemId: canteen.items.porridge.id,
            category: 'vegetarian',
            sideDish: 'Bread',
            discountedPrice: 0,
          },
        }),
      answer: { status: 404, code: 'order_not_found' },
    },
    'POST /api/orders/:id/move': {
      ask: (client, { orderId }) =>
        client.call(moveOrder, { params: { id: orderId }, body: { date: '2026-09-18' } }),
      answer: { status: 404, code: 'order_not_found' },
    },
    'POST /api/payments/attempts/:id/prompt': {
      ask: (client, { token }) => client.call(promptAgain, { params: { id: token } }),
      answer: { status: 404, code: 'attempt_not_found' },
    },
    'POST /api/payments/create': {
      ask: (client, { big }) =>
        client.call(createPayment, { body: { amount: 45.5, cartItems: [canteen.stewFor(big, 4)] } }),
      answer: { status: 422, code: 'lines_refused' },
    },
    'POST /api/payments/payment-attempts': {
      ask: (client, { token }) => client.call(recordAttempt, { body: { transactionId: token } }),
      answer: { status: 404, code: 'attempt_not_found' },
    },
    'POST /api/payments/payment-attempts/update': {
      ask: (client, { token }) =>
        client.call(updateAttempt, { body: { transactionId: token, transactionStatus: 'failed' } }),
      answer: { status: 404, code: 'attempt_not_found' },
    },
    'GET /api/receipts/:number': {
      ask: (client) => client.call(getReceipt, { params: { number: '2026-000001' } }),
      answer: { status: 404, code: 'receipt_not_found' },
    },
    'GET /api/statement-of-account': {
      ask: (client, { parentId }) =>
        client.call(statementOfAccount, { query: { from: '2026-09-01', to: '2026-09-30', parentId } }),
      answer: { status: 404, code: 'parent_not_found' },
    },
    'GET /api/statement-of-account/csv': {
      ask: (client, { parentId }) =>
        client.call(statementOfAccountCsv, { query: { from: '2026-09-01', to: '2026-09-30', parentId } }),
      answer: { status: 404, code: 'parent_not_found' },
    },
    'POST /api/payments/verify/:transactionId': {
      ask: (client, { token }) => client.call(verifyPayment, { params: { transactionId: token } }),
      answer: { status: 404, code: 'attempt_not_found' },
    },
  }

  const lists: Record<string, Ask> = {
    'GET /api/students': (client) => client.call(listStudents),
    'GET /api/students/meal-marks': (client) => client.call(mealMarks),
    'GET /api/orders': (client) =>
      client.call(listOrders, { query: { includeAll: 'true', unpaginated: 'true' } }),
  }

  describe.each(['parent', 'teacher'] as const)('another %s', (who) => {
    test.each(Object.entries(forbidden))(
      'does not find the family’s things by %s',
      async (_name, { ask, answer }) => {
        expect(await refused(ask(others[who], family))).toMatchObject(answer)
        expect(await everything()).toEqual(untouched)
      },
    )

    test.each(Object.entries(lists))('sees nothing of the family’s in %s', async (_name, ask) => {
      const shown = JSON.stringify(await ask(others[who], family))
      expect(shown).not.toMatch(/Chipo|Taonga/)
    })

    test('who sends the family’s idempotency key gets an answer of their own', async () => {
      const asked = others[who].call(placeOrders, {
        body: [canteen.porridgeFor(family.small, 2)],
        headers: { 'idempotency-key': 'the-family-key' },
      })
      expect(await refused(asked)).toMatchObject({ status: 422, code: 'lines_refused' })
    })
  })

  test('a parent who names another parent gets the child themselves', async () => {
    const made = await others.parent.call(addStudent, {
      body: { name: 'Own', grade: '3', parent_id: family.parentId, parentId: family.parentId },
    })
    expect(made.parentId).not.toBe(family.parentId)
  })

  test('an administrator without Live Orders may not have a payment looked at', async () => {
    const kitchen = await canteen.administrator('kitchen-only', 'kitchen')
    const asked = kitchen.call(verifyPayment, { params: { transactionId: family.token } })
    expect(await refused(asked)).toMatchObject({ status: 403, code: 'forbidden' })
  })

  test('every route that gives a family its own is tried here', () => {
    const own = Object.entries(whose).flatMap(([name, kind]) => (kind === 'own' ? [name] : []))
    const tried = [...Object.keys(forbidden), ...Object.keys(lists), 'POST /api/students']
    expect(tried.toSorted()).toEqual(own.toSorted())
  })
})
