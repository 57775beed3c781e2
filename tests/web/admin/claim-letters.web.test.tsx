import { screen, waitFor, within } from '@testing-library/react'
import { type RollEntry, roll } from '#contracts/enrolment'
import { portal } from '#contracts/identity'
import { type ClaimCodeLetter, claimCodes } from '#contracts/roll-import'
import { type FakeServer, FakeRefusal, fakeServer, refusal } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'
import { onePage } from './sample-settings'

describe('claim letters', () => {
  const child = (id: number, name: string, of: string | null): RollEntry => ({
    id,
    name,
    grade: '2',
    class: of,
    admissionNumber: `A-${id}`,
    parent: null,
    guardian: { name: `Guardian of ${name}`, email: null, phone: null },
    onRoll: true,
    leftAt: null,
    version: 'filled',
  })
  const [luse, mapalo, bupe] = [child(1, 'Luse', '2A'), child(2, 'Mapalo', null), child(3, 'Bupe', '10A')]

  const letter = (code: string, of: readonly RollEntry[], more: Partial<ClaimCodeLetter> = {}) => ({
    code,
    link: `https://lunch.example.org/register?code=${code}`,
    guardian: of[0]!.guardian!.name,
    students: of.map(({ id, name, class: own }) => ({ id, name, class: own })),
    expiresAt: '2027-02-21T09:00:00.000Z',
    mailed: false,
    ...more,
  })
  const twins = letter('BCDFGHJK', [luse, mapalo])
  const single = letter('KMNPRSTV', [bupe], { mailed: true })

  let server: FakeServer
  let print: jest.SpyInstance
  beforeEach(() => {
    print = jest.spyOn(window, 'print').mockImplementation(() => undefined)
    server = fakeServer()
    server.on(portal, {
      schoolName: 'Hill School',
      timezone: 'Africa/Lusaka',
      demo: false,
      now: '2026-11-23',
    })
    server.on(roll, {
      data: [luse, mapalo, bupe],
      metadata: { ...onePage, total: 3 },
      classes: ['2A', '10A'],
    })
    server.on(claimCodes, { codes: [single, twins] })
  })
  afterEach(() => {
    print.mockRestore()
    forgetToasts()
  })

  const open = (more = '') => openConsole(`/roll/letters${more}`, adminWith('parents_students'))
  type Hands = ReturnType<typeof open>
  const press = async (user: Hands, name: string) => user.click(await screen.findByRole('button', { name }))
  const tick = async (user: Hands, name: string | RegExp) =>
    user.click(await screen.findByRole('checkbox', { name }))
  const letters = () => screen.getAllByRole('article')
  const make = async (user: Hands) => {
    await press(user, 'Letters for All 3')
    await press(user, 'Make Letters')
    await screen.findByRole('article', { name: 'Letter to Guardian of Bupe' })
  }

  describe('who gets a letter', () => {
    test('chosen children, of several pages, after a question', async () => {
      server.on(roll, ({ query }) => ({
        data: query['page'] === 2 ? [bupe] : [luse, mapalo],
        metadata: { ...onePage, total: 3, totalPages: 2 },
        classes: [],
      }))
      const user = open()
      await tick(user, /^Luse/)
      await press(user, 'Next')
      await tick(user, 'All on this page')
      expect(screen.getByText('2 children chosen')).toBeInTheDocument()
      expect(server.asked(roll)[0]?.query).toEqual({ claimed: false, left: false, sort: 'class', page: 1 })
      await press(user, 'Letters for 2 Children')
      await screen.findByRole('dialog', { name: 'Make new letters for 2 children?' })
      expect(server.asked(claimCodes)).toEqual([])
      await press(user, 'Make Letters')
      await screen.findByRole('article', { name: 'Letter to Guardian of Luse' })
      expect(server.asked(claimCodes)[0]?.body).toEqual({ studentIds: [1, 3] })
      expect(screen.queryByText('2 children chosen')).not.toBeInTheDocument()
    })

    test('chosen children as one family, after a question', async () => {
      const user = open()
      await tick(user, /^Mapalo/)
      expect(screen.queryByRole('button', { name: 'One Letter for All' })).not.toBeInTheDocument()
      await tick(user, 'All on this page')
      await press(user, 'One Letter for All')
      await screen.findByRole('dialog', { name: 'Make one letter for these 3 children?' })
      await press(user, 'Make Letters')
      await waitFor(() => expect(server.asked(claimCodes)[0]?.body).toMatchObject({ together: true }))
    })

    test('a box over the page chooses all or none', async () => {
      const user = open()
      await tick(user, /^Mapalo/)
      const all = screen.getByRole('checkbox', { name: 'All on this page' })
      expect((all as HTMLInputElement).indeterminate).toBe(true)
      await user.click(all)
      expect(screen.getByText('3 children chosen')).toBeInTheDocument()
      await user.click(all)
      expect(screen.queryByText(/children chosen/)).not.toBeInTheDocument()
    })

    test('all of a class, however many pages they are', async () => {
      server.on(roll, ({ query }) => ({
        data: query['page'] === 2 ? [bupe] : [luse, mapalo],
        metadata: { ...onePage, total: 3, totalPages: 2 },
        classes: ['2A'],
      }))
      const user = open()
      await screen.findByText('3 children')
      await user.selectOptions(screen.getByLabelText('Class'), 'Without a class')
      expect(shownAddress()).toBe('/roll/letters?class=children-without-a-class')
      await user.selectOptions(screen.getByLabelText('Class'), '2A')
      await make(user)
      expect(server.asked(claimCodes)[0]?.body).toEqual({ studentIds: [1, 2, 3] })
      expect(server.asked(roll).map(({ query }) => [query['class'], query['page'], query['limit']])).toEqual([
        [undefined, 1, undefined],
        ['', 1, undefined],
        ['2A', 1, undefined],
        ['2A', 1, 100],
        ['2A', 2, 100],
      ])
    })

    test('nobody, where all have an account by now', async () => {
      server.on(claimCodes, { codes: [] })
      const user = open()
      await press(user, 'Letters for All 3')
      await press(user, 'Make Letters')
      expect(await screen.findByText('No letters made')).toBeInTheDocument()
      expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    })

    test('a failure is told, and the question stays', async () => {
      server.on(claimCodes, () => {
        throw new FakeRefusal(502, null)
      })
      const user = open()
      await press(user, 'Letters for All 3')
      await press(user, 'Make Letters')
      expect(await screen.findByText('Failed to make the letters')).toBeInTheDocument()
      expect(screen.getByRole('dialog', { name: 'Make new letters for 3 children?' })).toBeInTheDocument()
    })

    test('nobody, where every child has an account', async () => {
      server.on(roll, { data: [], metadata: { ...onePage, total: 0 }, classes: [] })
      open()
      expect(await screen.findByText('Every child has an account')).toBeInTheDocument()
    })

    test('the roll cannot be fetched', async () => {
      server.on(roll, () => refusal(500, 'fault', 'It broke'))
      open()
      expect(await screen.findByText('Failed to fetch the roll')).toBeInTheDocument()
    })

    test('is not open to whoever does not keep families', async () => {
      openConsole('/roll/letters', adminWith('kitchen'))
      expect(await screen.findByText('Parents & Students is not open to you')).toBeInTheDocument()
    })
  })

  /** Whether the browser asks before it leaves the page. */
  const asksToLeave = () => {
    const event = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(event)
    return event.defaultPrevented
  }

  describe('the letters', () => {
    test('have school, guardian, children with class, the code as people read it, and what to do until when', async () => {
      await make(open())
      const [one, other] = letters()
      expect(within(one!).getByText('Hill School')).toBeInTheDocument()
      expect(one).toHaveTextContent('Guardian of Luse')
      expect(
        within(one!)
          .getAllByRole('listitem')
          .slice(0, 2)
          .map(({ textContent }) => textContent),
      ).toEqual(['Luse, 2A', 'Mapalo'])
      expect(within(one!).getByText('BCDF GHJK')).toBeInTheDocument()
      expect(one).toHaveTextContent('Open lunch.example.org/register or scan')
      expect(one).toHaveTextContent('“Create Account”')
      expect(one).toHaveTextContent('“Add children with a code”')
      expect(one).toHaveTextContent('once, until 21 February 2027')
      // By class: 2A before 10A.
      expect(within(other!).getByText('KMNP RSTV')).toBeInTheDocument()
    })

    test('are addressed to the family where the roll names no guardian', async () => {
      server.on(claimCodes, { codes: [letter('BCDFGHJK', [luse, mapalo], { guardian: null })] })
      const user = open()
      await press(user, 'Letters for All 3')
      await press(user, 'Make Letters')
      expect(await screen.findByText('To the family of Luse and Mapalo')).toBeInTheDocument()
    })

    test('are printed, all or those that nobody is mailed', async () => {
      const user = open()
      await make(user)
      expect(screen.getByText(/1 family gets its code by mail too/)).toBeInTheDocument()
      await tick(user, 'Only families that get no mail')
      expect(letters()).toHaveLength(1)
      expect(screen.getByText('BCDF GHJK')).toBeInTheDocument()
      await press(user, 'Print')
      expect(print).toHaveBeenCalledTimes(1)
    })

    test('are closed after a question, and not shown again', async () => {
      const user = open()
      await make(user)
      await press(user, 'Close')
      await press(user, 'Keep Them Open')
      await waitFor(() => expect(screen.queryByText('Are all letters printed?')).not.toBeInTheDocument())
      expect(letters()).toHaveLength(2)
      await user.keyboard('{Escape}')
      await press(user, 'Yes, Close')
      await waitFor(() => expect(screen.queryByRole('article')).not.toBeInTheDocument())
      expect(await screen.findByText('3 children')).toBeInTheDocument()
    })

    test('ask before the page is left or gone back from', async () => {
      const user = open()
      await screen.findByText('3 children')
      expect(asksToLeave()).toBe(false)
      await make(user)
      expect(asksToLeave()).toBe(true)
      window.history.back()
      expect(await screen.findByText('Are all letters printed?')).toBeInTheDocument()
      expect(screen.getByText('BCDF GHJK')).toBeInTheDocument()
      await press(user, 'Yes, Close')
      await waitFor(() => expect(screen.queryByRole('article')).not.toBeInTheDocument())
      expect(asksToLeave()).toBe(false)
    })

    test('are not printed without the name of the school', async () => {
      server.on(portal, () => refusal(503, 'unavailable', 'Not now'))
      const user = open()
      await press(user, 'Letters for All 3')
      await press(user, 'Make Letters')
      expect(await screen.findByRole('button', { name: 'Print' })).toBeDisabled()
    })
  })
})
