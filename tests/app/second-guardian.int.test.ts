import {
  getGuardianInvite,
  inviteGuardian,
  listGuardians,
  removeGuardian,
  waitingInvites,
  withdrawInvite,
  deleteParent,
} from '#contracts/accounts'
import { auditEntries } from '#contracts/audit'
import { getReceipt, statementOfAccount } from '#contracts/books'
import { getCredit } from '#contracts/credit'
import { moveStudent } from '#contracts/enrolment'
import { getFamily } from '#contracts/find'
import { type Student, currentUser, listStudents, login, register } from '#contracts/identity'
import {
  type Order,
  cancelOrder,
  listOrders,
  getOrderingRules,
  saveOrderingRules,
  changeOrder,
  setAbsence,
} from '#contracts/ordering'
import { createPayment, verifyPayment } from '#contracts/payments'
import { failedOrders, waiveRemainder } from '#contracts/payments-console'
import { listRefunds, ownRefunds } from '#contracts/refunds'
import { listMails } from '../../src/adapters/mail'
import type { Client } from '../../src/app/demo/client'
import { type Canteen, openCanteen, place, refused } from '../ordering/canteen'
import { whose } from '../support/access'
import { eventually } from '../support/eventually'
import { mailTo } from '../support/mails'
import { type Family, type Who, type Person, guardianWalk, answerOf, guardiansOf } from './guardians'

let canteen: Canteen
let people: ReturnType<typeof guardiansOf>
/** Three parents; each test gives the first a child of its own and makes the second its guardian where it needs one. */
let first: Person
let second: Person
let stranger: Person
beforeAll(async () => {
  canteen = await openCanteen()
  people = guardiansOf(canteen)
  first = await people.person('bwalya')
  second = await people.person('elias')
  stranger = await people.person('kunda')
})
afterAll(() => canteen.close())
beforeEach(() => canteen.setClock('2026-09-14T07:00:00+02:00'))

describe('second guardian', () => {
  const account = ({ userId }: Person) => ({ params: { id: userId } })
  const ordersOf = async ({ client }: Person, child: Student) =>
    ((await client.call(listOrders)) as Order[]).filter(({ student }) => student.name === child.name)
  const onPage = (token: string, outcome = 'slow') =>
    canteen.visitor().fetch(`/sandbox/pay/${token}`, {
      method: 'POST',
      body: new URLSearchParams({ outcome, card: '4111111111111111' }),
    })
  const verify = ({ client }: Person, transactionId: string) =>
    client.call(verifyPayment, { params: { transactionId } })
  const payFor = ({ client }: Person, child: Student, dayOfWeek: number) =>
    client.call(createPayment, { body: { amount: 45.5, cartItems: [canteen.stewFor(child, dayOfWeek)] } })
  const owedFor = async (child: Student) => {
    const { data } = await canteen.superadminClient.call(listRefunds, { query: { text: child.name } })
    return data.map(({ parent, amount }) => [parent?.username, amount])
  }

  describe('an invitation', () => {
    test('names nobody in the mail, is shown to its address alone, changes nothing by a look, and works once', async () => {
      const small = await people.childOf(first, 'small')
      const invitee = await people.person('mumba')
      const token = await people.invited(first.client, small, invitee.email)
      const { text } = await mailTo(canteen, invitee.email, 'You are invited')
      expect(text).not.toMatch(/bwalya|Chipo|mumba/i)
      const at = { params: { idOrCode: token } }
      const forOther = await refused(stranger.client.call(getGuardianInvite, at))
      expect(forOther).toMatchObject({ status: 403, code: 'invite_for_another_address' })
      expect(JSON.stringify(forOther)).not.toMatch(/bwalya|Chipo|mumba/i)
      expect(await answerOf(canteen.visitor().call(getGuardianInvite, at))).toBe('not_signed_in')
      expect(await answerOf(people.accept(stranger.client, token))).toBe('invite_for_another_address')
      expect(await invitee.client.call(getGuardianInvite, at)).toEqual({
        student: { name: small.name },
        students: [{ name: small.name }],
        invitedBy: { name: 'bwalya' },
        expiresAt: '2026-09-21T05:00:00.000Z',
      })
      expect((await invitee.client.fetch(`/api/guardian-invites/${token}/accept`)).status).toBe(405)
      expect(await invitee.client.call(listStudents)).toEqual([])
      expect(await people.accept(invitee.client, token)).toMatchObject({
        id: small.id,
        parentId: first.userId,
      })
      expect(await answerOf(people.accept(invitee.client, token))).toBe('invite_used')
      expect((await invitee.client.call(listStudents)).map(({ id }) => id)).toEqual([small.id])
      const again = await people.invited(first.client, small, invitee.email)
      expect(await answerOf(people.accept(invitee.client, again))).toBe('already_guardian')
      expect(await answerOf(people.accept(first.client, again))).toBe('own_child')
    })

    test('is void after a week, when it is withdrawn, and when it was sent once more', async () => {
      const small = await people.childOf(first, 'small')
      const params = { id: small.id }
      const email = 'lweendo@example.org'
      const lweendo = await canteen.parent('lweendo', { email })
      await people.confirm(lweendo, email)
      const token = await people.invited(first.client, small, email)
      canteen.setClock('2026-09-21T07:00:00+02:00')
      expect(await answerOf(people.accept(lweendo, token))).toBe('invite_expired')
      const before = await people.invited(first.client, small, email)
      const { id: inviteId } = await first.client.call(inviteGuardian, { params, body: { email } })
      expect(await answerOf(people.accept(lweendo, before))).toBe('invite_not_found')
      const withdraw = () => first.client.call(withdrawInvite, { params: { ...params, inviteId } })
      expect([await answerOf(withdraw()), await answerOf(withdraw())]).toEqual(['ok', 'invite_not_found'])
      for (const name of ['one', 'two', 'three', 'one'])
        await first.client.call(inviteGuardian, { params, body: { email: `${name}@example.org` } })
      const { invites } = await first.client.call(listGuardians, { params })
      expect(invites.map((open) => open.email!.split('@')[0])).toEqual(['two', 'three', 'one'])
      const more = (address: string) =>
        answerOf(first.client.call(inviteGuardian, { params, body: { email: address } }))
      expect([await more(email), await more(first.email)]).toEqual(['too_many_guardians', 'own_address'])
    })
  })

  describe('an invitation for all children', () => {
    let first: Person
    beforeAll(async () => {
      first = await people.person('mapalo')
    })

    const invite = async (studentIds: number[], email?: string) => {
      const [id, ...others] = studentIds
      const body = { ...(email && { email }), studentIds: others }
      return first.client.call(inviteGuardian, { params: { id: id! }, body })
    }
    const linkTo = async (email: string) =>
      /\/guardian-invite\/([\w-]+)#([\w-]+)/.exec((await mailTo(canteen, email, 'You are invited')).text)!
    const registered = async (username: string, more: { email?: string; invite?: string }) => {
      const client = canteen.visitor()
      const body = { username, password: `${username}-secret`, name: `${username} Mwila`, ...more }
      return { client, user: await client.call(register, { body }) }
    }
    const childIds = async (client: Client) => (await client.call(listStudents)).map(({ id }) => id)

    test('whoever registers by the mailed link has the address confirmed, and accepts for all at once', async () => {
      const [one, two] = [await people.childOf(first, 'small'), await people.childOf(first, 'big')]
      const email = 'Choolwe@Example.org'
      await invite([one.id, two.id, one.id], email)
      const [, token, address] = await linkTo('choolwe@example.org')
      expect(Buffer.from(address!, 'base64url').toString()).toBe('choolwe@example.org')
      const { client, user } = await registered('choolwe', { invite: token! })
      expect(user).toMatchObject({ email: 'choolwe@example.org', emailVerified: true })
      const [waiting, ...others] = await client.call(waitingInvites)
      expect([waiting, others]).toEqual([
        {
          id: expect.any(String),
          children: ['Chipo', 'Taonga'],
          invitedBy: { name: 'mapalo' },
          expiresAt: '2026-09-21T05:00:00.000Z',
        },
        [],
      ])
      const accepted = await people.accept(client, waiting!.id)
      expect(accepted.students.map(({ id }) => id)).toEqual([one.id, two.id])
      expect(accepted).toMatchObject({ id: one.id })
      expect(await childIds(client)).toEqual([one.id, two.id])
      expect(await client.call(waitingInvites)).toEqual([])
      expect(await answerOf(people.accept(client, token!))).toBe('invite_used')
    })

    test('the link proves no other address, and nothing once it was used or is late', async () => {
      const child = await people.childOf(first, 'small')
      await invite([child.id], 'kasuba@example.org')
      const [, token] = await linkTo('kasuba@example.org')
      const other = await registered('kasuba', { email: 'mistyped@example.org', invite: token! })
      expect(other.user).toMatchObject({ email: 'mistyped@example.org', emailVerified: false })
      canteen.setClock('2026-09-21T07:00:00+02:00')
      const late = await registered('kasuba.late', { email: 'kasuba@example.org', invite: token! })
      expect(late.user.emailVerified).toBe(false)
      expect((await registered('kasuba.none', { invite: token! })).user.email).toBeNull()
    })

    test('signing in by it confirms the address, and is an address where there was none', async () => {
      const child = await people.childOf(first, 'small')
      const accounts: [username: string, email?: string][] = [['mwansa', 'mwansa@example.org'], ['mwila.p']]
      for (const [username, email] of accounts) {
        await registered(username, email ? { email } : {})
        const to = email ?? 'mwila.p@example.org'
        await invite([child.id], to)
        const [, token] = await linkTo(to)
        const client = canteen.visitor()
        const sign = (invite?: string) =>
          client.call(login, { body: { username, password: `${username}-secret`, invite } })
        expect(await sign('an-unknown-token')).toMatchObject({ emailVerified: false })
        expect(await sign(token)).toMatchObject({ email: to, emailVerified: true })
        expect(await client.call(waitingInvites)).toHaveLength(1)
      }
    })

    test('signing in by it confirms no other address', async () => {
      const child = await people.childOf(first, 'small')
      await invite([child.id], 'nalishebo@example.org')
      const [, token] = await linkTo('nalishebo@example.org')
      await registered('imasiku', { email: 'imasiku@example.org' })
      const signedIn = canteen.visitor().call(login, {
        body: { username: 'imasiku', password: 'imasiku-secret', invite: token! },
      })
      expect(await signedIn).toMatchObject({ email: 'imasiku@example.org', emailVerified: false })
    })

    test('who is signed in accepts by the mailed link without confirming the address before', async () => {
      const child = await people.childOf(first, 'small')
      const email = 'thandiwe@example.org'
      const { client } = await registered('thandiwe', { email })
      await invite([child.id], email)
      const [, token] = await linkTo(email)
      await people.accept(client, token!)
      expect(await client.call(currentUser)).toMatchObject({ emailVerified: true })
    })

    test('the code that the inviter sees confirms no address', async () => {
      const child = await people.childOf(first, 'small')
      const { code, link } = await invite([child.id], 'victim@example.org')
      expect(link).toMatch(new RegExp(`/guardian-invite/${code}$`))
      const { user, client } = await registered('intruder', { email: 'victim@example.org', invite: code })
      expect(user.emailVerified).toBe(false)
      expect(await answerOf(people.accept(client, code))).toBe('address_not_verified')
      expect(await client.call(waitingInvites)).toEqual([])
    })

    test('without an address whoever has the code accepts once, however it is typed', async () => {
      const [one, two] = [await people.childOf(first, 'small'), await people.childOf(first, 'big')]
      const { code, id, email } = await invite([one.id, two.id])
      expect(email).toBeNull()
      const uncle = await registered('uncle', { email: 'uncle@example.org' })
      expect(await answerOf(people.accept(uncle.client, id))).toBe('invite_not_found')
      await people.accept(uncle.client, ` ${code.toUpperCase().replaceAll('-', ' ')}`)
      expect(await childIds(uncle.client)).toEqual([one.id, two.id])
      expect(await uncle.client.call(currentUser)).toMatchObject({ emailVerified: false })
      expect(await answerOf(people.accept(second.client, code))).toBe('invite_used')
      const { invites } = await first.client.call(listGuardians, { params: { id: one.id } })
      expect(invites).toEqual([])
    })

    test('is taken from one child alone, is the first guardian’s alone to give, and counts for each child', async () => {
      const [one, two] = [await people.childOf(first, 'small'), await people.childOf(first, 'big')]
      const { code } = await invite([one.id, two.id])
      const params = { id: one.id }
      const [open] = (await first.client.call(listGuardians, { params })).invites
      await first.client.call(withdrawInvite, { params: { ...params, inviteId: open!.id } })
      const aunt = await registered('aunt', {})
      expect((await people.accept(aunt.client, code)).students.map(({ id }) => id)).toEqual([two.id])
      const others = (await people.childOf(stranger, 'small')).id
      expect(await answerOf(invite([one.id, others]))).toBe('student_not_found')
      for (const _more of [1, 2]) await invite([two.id])
      expect(await answerOf(invite([one.id, two.id]))).toBe('too_many_guardians')
    })
  })

  test('the guardians are listed for themselves and the office; the history tells of them without names and addresses', async () => {
    const small = await people.childOf(first, 'small')
    const other = await people.person('mulenga')
    await people.becomeSecond(first, other, small)
    await people.invited(first.client, small, 'aunt@example.org')
    const params = { params: { id: small.id } }
    const guardians = [
      { userId: first.userId, name: 'bwalya', first: true },
      { userId: other.userId, name: 'mulenga', first: false },
    ]
    const seen = { guardians, invites: [expect.objectContaining({ email: 'aunt@example.org' })] }
    expect(await first.client.call(listGuardians, params)).toEqual(seen)
    expect(await canteen.superadminClient.call(listGuardians, params)).toEqual(seen)
    expect(await other.client.call(listGuardians, params)).toEqual({ guardians, invites: [] })
    const page = await canteen.superadminClient.call(getFamily, { params: { id: other.userId } })
    expect(page.children).toMatchObject([{ id: small.id, name: small.name, grade: '3', guardians }])
    await other.client.call(removeGuardian, { params: { id: small.id, userId: other.userId } })
    const stays = canteen.superadminClient.call(removeGuardian, {
      params: { id: small.id, userId: first.userId },
    })
    expect(await refused(stays)).toMatchObject({ status: 409, code: 'first_guardian_stays' })
    await canteen.sweepUntil(async () => {
      const { data } = await canteen.superadminClient.call(auditEntries, { query: { limit: 100 } })
      const told = data.map(({ what }) => what).filter((what) => what.includes(`student ${small.id} `))
      expect(told.map((what) => /invited|added|removed/.exec(what)![0])).toEqual([
        'removed',
        'invited',
        'added',
        'invited',
      ])
      expect(told.join()).not.toMatch(/@|Chipo/)
    })
  })

  test('an account whose child has a second guardian is not deleted; what a second has ordered stays', async () => {
    const office = canteen.superadminClient
    const [leaving, joseph] = [await people.person('natasha'), await people.person('joseph')]
    const small = await people.childOf(leaving, 'small')
    await people.becomeSecond(leaving, joseph, small)
    const shared = office.call(deleteParent, { ...account(leaving), query: { force: 'true' } })
    expect(await refused(shared)).toMatchObject({ status: 409, code: 'child_has_second_guardian' })
    await place(joseph.client, [canteen.porridgeFor(small, 2)])
    await office.call(deleteParent, account(joseph))
    expect((await ordersOf(leaving, small)).map(({ student, status }) => [student.name, status])).toEqual([
      [small.name, 'pending'],
    ])
    const { guardians } = await leaving.client.call(listGuardians, { params: { id: small.id } })
    expect(guardians).toHaveLength(1)
    await office.call(deleteParent, { ...account(leaving), query: { force: 'true' } })
  })

  describe('two guardians, one child, one date', () => {
    test('a lunch names the other guardian who ordered it, by name as long as that one is a guardian', async () => {
      const mother = await people.person('nchimunya')
      const small = await people.childOf(mother, 'small')
      await people.becomeSecond(mother, second, small)
      await place(second.client, [canteen.porridgeFor(small, 2)])
      const buyers = async (who: Person) => (await ordersOf(who, small)).map(({ orderedBy }) => orderedBy)
      expect([await buyers(mother), await buyers(second)]).toEqual([['elias'], [undefined]])
      await mother.client.call(removeGuardian, { params: { id: small.id, userId: second.userId } })
      expect(await buyers(mother)).toEqual(['another guardian'])
    })

    test('both begin to pay at once: one is told that the day is taken, before money is', async () => {
      const big = await people.childOf(first, 'big')
      await people.becomeSecond(first, second, big)
      const both = await Promise.all([answerOf(payFor(first, big, 4)), answerOf(payFor(second, big, 4))])
      expect(both.toSorted()).toEqual(['day_reserved', 'ok'])
    })

    test("both pay, one by another card after the first was declined: one lunch, and the other's money is owed to who has paid it", async () => {
      const big = await people.childOf(first, 'big')
      await people.becomeSecond(first, second, big)
      const firsts = (await payFor(first, big, 4)).TransToken
      await onPage(firsts, 'decline')
      await verify(first, firsts)
      const seconds = (await payFor(second, big, 4)).TransToken
      await Promise.all([onPage(firsts), onPage(seconds)])
      canteen.setClock('2026-09-14T07:03:00+02:00')
      await Promise.all([verify(second, seconds), verify(first, firsts)])
      const [ofFirst, ofSecond] = [await ordersOf(first, big), await ordersOf(second, big)]
      expect(ofFirst.map(({ id }) => id)).toEqual(ofSecond.map(({ id }) => id))
      expect(ofFirst).toHaveLength(1)
      const failed = (await canteen.superadminClient.call(failedOrders)).filter(
        ({ student }) => student.name === big.name,
      )
      expect(failed).toHaveLength(1)
      const { id, customer } = failed[0]!
      const body = { reason: 'The other guardian was first' }
      await canteen.superadminClient.call(waiveRemainder, { params: { id }, body })
      await eventually(async () => expect(await owedFor(big)).toEqual([[customer, 45.5]]))
    })

    test('who has not paid cancels the lunch: who has is owed the money', async () => {
      const big = await people.childOf(first, 'big')
      await people.becomeSecond(first, second, big)
      const { TransToken } = await payFor(second, big, 4)
      await onPage(TransToken)
      canteen.setClock('2026-09-14T07:03:00+02:00')
      await verify(second, TransToken)
      const [order] = await ordersOf(first, big)
      await first.client.call(cancelOrder, { params: { id: order!.id } })
      await eventually(async () => expect(await owedFor(big)).toEqual([['elias', 45.5]]))
    })
  })

  test('a guardian who is removed while paying is told what was paid for a child no longer theirs', async () => {
    const big = await people.childOf(first, 'big')
    const leaving = await people.person('chilufya')
    await people.becomeSecond(first, leaving, big)
    const { TransToken } = await payFor(leaving, big, 3)
    await first.client.call(removeGuardian, { params: { id: big.id, userId: leaving.userId } })
    await onPage(TransToken)
    canteen.setClock('2026-09-14T07:03:00+02:00')
    const told = {
      success: true,
      attention: [
        expect.stringContaining(`${big.name} is no longer on your account; K45.50 goes back to you`),
      ],
    }
    expect(await verify(leaving, TransToken)).toMatchObject(told)
    expect(await ordersOf(first, big)).toEqual([])
  })

  test('a guardian who is removed after paying keeps sight of the meal, its receipt and what comes back', async () => {
    const big = await people.childOf(first, 'big')
    const payer = await people.person('mutale')
    await people.becomeSecond(first, payer, big)
    const { TransToken } = await payFor(payer, big, 5)
    await onPage(TransToken)
    canteen.setClock('2026-09-14T07:03:00+02:00')
    await verify(payer, TransToken)
    const { id, receiptNumber } = await eventually(async () => {
      const [order] = await ordersOf(payer, big)
      return order?.receiptNumber ? order : false
    })
    await first.client.call(removeGuardian, { params: { id: big.id, userId: payer.userId } })
    const why = { cancel: 'This child is no longer on your account' }
    const onlySeen = { id, receiptNumber, allowed: { cancel: false, change: false, absent: false }, why }
    expect(await ordersOf(payer, big)).toMatchObject([{ ...onlySeen, status: 'pending' }])
    const stew = { menuItemId: canteen.items.stew.id, category: 'beef', discountedPrice: 45.5 }
    const body = { ...stew, comments: 'She lives with us now' }
    await first.client.call(changeOrder, { params: { id }, body })
    await first.client.call(cancelOrder, { params: { id } })
    expect(await ordersOf(payer, big)).toMatchObject([{ ...onlySeen, status: 'cancelled', comments: '' }])
    await eventually(async () =>
      expect((await payer.client.call(ownRefunds)).data).toMatchObject([{ orderId: id, owed: 45.5 }]),
    )
    const receipt = await payer.client.call(getReceipt, { params: { number: receiptNumber! } })
    expect(receipt.lines).toMatchObject([{ student: big.name }])
    const query = { from: '2026-09-14', to: '2026-09-14' }
    const { lines } = await payer.client.call(statementOfAccount, { query })
    expect(lines.map(({ amount }) => amount)).toEqual([45.5, 45.5, -45.5])
    expect(await payer.client.call(getCredit)).toMatchObject({ balance: 0 })
  })

  describe('every route that gives a family its own', () => {
    let family: Family
    let clients: Record<Who, Client>
    let walk: ReturnType<typeof guardianWalk>

    beforeAll(async () => {
      canteen.setClock('2026-09-14T07:00:00+02:00')
      const [small, big] = [await people.childOf(first, 'small'), await people.childOf(first, 'big')]
      const former = await people.person('zulu')
      await people.becomeSecond(first, second, small, big)
      await people.becomeSecond(first, former, small, big)
      for (const { id } of [small, big])
        await first.client.call(removeGuardian, { params: { id, userId: former.userId } })
      const { TransToken: token } = await payFor(first, big, 2)
      await onPage(token)
      canteen.setClock('2026-09-14T07:03:00+02:00')
      await verify(first, token)
      const receipt = await eventually(async () => {
        const [order] = await ordersOf(first, big)
        return order?.receiptNumber ?? false
      })
      family = { first, former, small, big, token, receipt }
      walk = guardianWalk(canteen, family)
      clients = {
        first: first.client,
        second: second.client,
        former: former.client,
        stranger: stranger.client,
      }
    })

    test.each(['first', 'second', 'former', 'stranger'] as const)(
      'answers the %s guardian as it may',
      async (who) => {
        const place = ['first', 'second', 'former', 'stranger'].indexOf(who)
        for (const [route, { ask, answers }] of Object.entries(walk))
          expect([route, await answerOf(ask(clients[who]))]).toEqual([route, answers[place]])
      },
    )

    test('is among these', () => {
      const own = Object.entries(whose).flatMap(([name, kind]) => (kind === 'own' ? [name] : []))
      const aboutNoChild = ['DELETE /api/user/sessions/:id', 'POST /api/students']
      expect([...Object.keys(walk), ...aboutNoChild].toSorted()).toEqual(own.toSorted())
    })
  })
})

describe('payer told', () => {
  /** Told of nothing before. */
  let first: Person
  beforeAll(async () => {
    first = await people.person('mwape')
    const { superadminClient: office } = canteen
    const rules = await office.call(getOrderingRules)
    await office.call(saveOrderingRules, { body: { ...rules, absence: 'credit', absencePercent: 50 } })
  })

  const told = async ({ email }: Person) =>
    (await listMails(canteen.dataDir))
      .filter(({ to, subject }) => to.includes(email) && /^\w+ by another guardian/.test(subject))
      .map(({ subject }) => subject)

  test('who has paid is told once what another guardian does with the lunch, and not of their own acts', async () => {
    const small = await people.childOf(first, 'small')
    const payer = await people.person('sibeso')
    await people.becomeSecond(first, payer, small)
    const [own, cancelled, changed] = await place(payer.client, [
      canteen.porridgeFor(small, 5),
      canteen.porridgeFor(small, 3),
      canteen.porridgeFor(small, 4),
    ])
    await payer.client.call(cancelOrder, { params: { id: own!.id } })
    for (const _again of [1, 2]) await first.client.call(cancelOrder, { params: { id: cancelled!.id } })
    const { text } = await mailTo(canteen, payer.email, 'Cancelled by another guardian')
    expect(text).toContain(
      `Another guardian of ${small.name} has cancelled School porridge on Wednesday, 16 September 2026, which you had ordered. Nothing is to be paid back.`,
    )
    const other = { menuItemId: canteen.items.porridge.id, category: 'vegetarian', sideDish: 'Bread' }
    await first.client.call(changeOrder, {
      params: { id: changed!.id },
      body: { ...other, discountedPrice: 0 },
    })
    expect((await mailTo(canteen, payer.email, 'Changed by another guardian')).text).toContain(
      'has chosen another meal instead of School porridge on Thursday, 17 September 2026, which you had ordered. It costs the same.',
    )
    const subjects = ['Cancelled by another guardian for Chipo', 'Changed by another guardian for Chipo']
    expect((await told(payer)).toSorted()).toEqual([`${subjects[0]}, 16 Sept`, `${subjects[1]}, 17 Sept`])
    expect(await told(first)).toEqual([])
  })

  test('the money that a cancelled or an uneaten lunch gives back is named to who has paid', async () => {
    const big = await people.childOf(first, 'big')
    const payer = await people.person('namakau')
    await people.becomeSecond(first, payer, big)
    const cartItems = [canteen.stewFor(big, 1, { weekNumber: 2 }), canteen.stewFor(big, 2, { weekNumber: 2 })]
    const { TransToken } = await payer.client.call(createPayment, { body: { amount: 91, cartItems } })
    await canteen.visitor().fetch(`/sandbox/pay/${TransToken}`, {
      method: 'POST',
      body: new URLSearchParams({ outcome: 'slow', card: '4111111111111111' }),
    })
    canteen.setClock('2026-09-14T07:03:00+02:00')
    await payer.client.call(verifyPayment, { params: { transactionId: TransToken } })
    const all = (await first.client.call(listOrders)) as Order[]
    const orders = all.filter(({ student }) => student.name === big.name)
    const on = (date: string) => ({ params: { id: orders.find(({ mealDate }) => mealDate === date)!.id } })
    await first.client.call(cancelOrder, on('2026-09-22'))
    const cancelled = await mailTo(canteen, payer.email, 'Cancelled by another guardian')
    expect(cancelled.text).toContain('K45.50 goes back to you.')
    canteen.setClock('2026-09-21T09:00:00+02:00')
    await first.client.call(setAbsence, on('2026-09-21'))
    expect((await mailTo(canteen, payer.email, 'Ill')).text).toContain('K22.75 goes to your credit.')
    await first.client.call(setAbsence, { ...on('2026-09-21'), body: { absent: false } })
    const takenBack = await mailTo(canteen, payer.email, 'after all')
    expect(takenBack.text).toContain('Credit that was given for it is taken back.')
  })

  test('the family that has paid hears what becomes of the lunch of a child that moved', async () => {
    const payer = await people.person('mubita')
    const small = await people.childOf(payer, 'small')
    const [order] = await place(payer.client, [canteen.porridgeFor(small, 5)])
    await canteen.superadminClient.call(moveStudent, {
      params: { id: small.id },
      body: { parentId: first.userId },
    })
    const other = { menuItemId: canteen.items.porridge.id, category: 'vegetarian', sideDish: 'Bread' }
    await first.client.call(changeOrder, {
      params: { id: order!.id },
      body: { ...other, comments: 'She lives with us now', discountedPrice: 0 },
    })
    expect(await payer.client.call(listOrders)).toMatchObject([
      {
        id: order!.id,
        comments: '',
        allowed: { cancel: false, change: false, absent: false },
        why: { cancel: 'This child is no longer on your account' },
      },
    ])
    await first.client.call(cancelOrder, { params: { id: order!.id } })
    expect(await payer.client.call(listOrders)).toMatchObject([{ status: 'cancelled', comments: '' }])
    await mailTo(canteen, payer.email, 'Cancelled by another guardian')
    expect(await told(first)).toEqual([])
  })
})
