import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { v7 } from 'uuid'
import {
  type Student,
  convertToTeacher,
  createAdmin,
  featureNames,
  addStudent,
  currentUser,
  deleteStudent,
  endSession,
  listSessions,
  listStudents,
  updateStudent,
} from '#contracts/identity'
import { addressOf } from '#platform/http/route'
import { inviteGuardian, listGuardians, removeGuardian, withdrawInvite } from '#contracts/accounts'
import { getHealth, saveHealth, mealMarks } from '#contracts/health'
import { cancelOrder, changeOrder, listOrders, placeOrders, setAbsence } from '#contracts/ordering'
import { createPayment, promptAgain, recordAttempt, updateAttempt, verifyPayment } from '#contracts/payments'
import { liveOrders } from '#contracts/payments-console'
import { statementOfAccount, statementOfAccountCsv, getReceipt } from '#contracts/books'
import {
  type AccessCase,
  type Visitor,
  describeAccess,
  accessCases,
  nowhereOn,
  verdictOf,
  accessTable,
  isForFamilies,
  whose,
} from '../support/access'
import { cookiesFrom, exchange } from '../support/http-exchange'
import { type School, startSchool, superadminPassword } from '../support/school'
import type { Client } from '../../src/app/demo/client'
import { type Canteen, openCanteen, place, refused } from '../ordering/canteen'
import { eventually } from '../support/eventually'

let school: School

beforeAll(async () => {
  school = await startSchool()
})
afterAll(() => school.close())

describe('access', () => {
  /** Routes that end the session or change who somebody is: tried last, each with a fresh sign-in. */
  const lasting = new Set(['/api/logout', '/api/user/convert-to-teacher'])
  const password = 'parent-password'
  beforeAll(async () => {
    await school.parent('a.parent')
    await (await school.parent('a.teacher')).call(convertToTeacher)
    const office = await school.superadmin()
    for (const feature of featureNames)
      await office.call(createAdmin, {
        body: { username: `only.${feature}`, password, allowedFeatures: [feature] },
      })
  })

  const signedIn = async (username: string) => {
    const body = { username, password: username === 'superadmin' ? superadminPassword : password }
    return cookiesFrom(await exchange(school.url, '/api/login', { method: 'POST', body }))
  }

  const keptCookies = new Map<string, string>()
  const cookieOf = async (username: string, afresh: boolean) => {
    const kept = keptCookies.get(username)
    if (kept && !afresh) return kept
    const made = await signedIn(username)
    if (!afresh) keptCookies.set(username, made)
    return made
  }

  const person = (name: string, principal: Partial<NonNullable<Visitor['principal']>>): Visitor => ({
    name,
    principal: {
      role: 'admin',
      features: [],
      isSuperadmin: false,
      mustChangePassword: false,
      mustSetUpSecondFactor: false,
      ...principal,
    },
    cookie: () => cookieOf(name, false),
  })

  const visitors: Visitor[] = [
    { name: 'nobody', principal: null, cookie: async () => '' },
    person('a.parent', { role: 'parent' }),
    person('a.teacher', { role: 'teacher' }),
    person('superadmin', { isSuperadmin: true }),
    ...featureNames.map((feature) => person(`only.${feature}`, { features: [feature] })),
  ]

  const tried = async ({ method, path, visitor }: AccessCase) => {
    const cookie =
      lasting.has(path) && visitor.principal ? await cookieOf(visitor.name, true) : await visitor.cookie()
    const body = method === 'GET' || method === 'DELETE' ? undefined : {}
    return verdictOf(
      await exchange(school.url, nowhereOn(path), { method, headers: cookie ? { cookie } : {}, body }),
    )
  }

  test('every route admits exactly those it is for', async () => {
    const routes = describeAccess(school.routes)
    expect(routes.length).toBeGreaterThan(40)
    const cases = accessCases(routes, visitors)
    const ordered = [
      ...cases.filter(({ path }) => !lasting.has(path)),
      ...cases.filter(({ path }) => lasting.has(path)),
    ]
    const wrong: string[] = []
    for (const each of ordered) {
      const verdict = await tried(each)
      if (verdict !== each.expected)
        wrong.push(
          `${each.method} ${each.path} by ${each.visitor.name}: ${verdict}, expected ${each.expected}`,
        )
    }
    expect(wrong).toEqual([])
  })

  test('every feature that a route asks for is one that an administrator can hold', () => {
    const asked = school.routes.flatMap(({ access }) => (access.kind === 'features' ? access.features : []))
    expect(asked.filter((feature) => !(featureNames as readonly string[]).includes(feature))).toEqual([])
  })

  test('no route stands behind an earlier one that takes its address', () => {
    const taken = school.routes.map(addressOf)
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

const routes = () => describeAccess(school.routes)

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

  let canteen: Canteen
  let family: Family
  let others: Record<'parent' | 'teacher', Client>
  beforeAll(async () => {
    canteen = await openCanteen()
    family = await firstFamily()
    await (await canteen.parent('chola', { email: 'chola@example.org' })).call(convertToTeacher)
    others = {
      parent: await canteen.parent('thandiwe', { email: 'thandiwe@example.org' }),
      teacher: await canteen.signIn('chola', 'parent-password'),
    }
  })
  afterAll(() => canteen.close())

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
        const before = await everything()
        expect(await refused(ask(others[who], family))).toMatchObject(answer)
        expect(await everything()).toEqual(before)
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
