import { screen, waitFor, within } from '@testing-library/react'
import { applyPromotion, lastPromotion, previewPromotion, undoPromotion } from '#contracts/enrolment'
import { portal } from '#contracts/identity'
import { applyRoll } from '#contracts/roll-import'
import { type FakeServer, FakeRefusal, fakeServer, refusal } from './fake-server'
import { importServer, looked, press, said } from './import-steps'
import { adminWith, forgetToasts, openConsole } from './open-console'
import { resultOf } from './sample-roll'

let server: FakeServer
afterEach(forgetToasts)

describe('year move', () => {
  const id = '01920000-0000-7000-8000-000000000001'
  const lunch = (orderId: string, student: string, date: string, menuItem: string) => ({
    orderId,
    student,
    date,
    menuItem,
  })
  const porridge = lunch('5.2026-09-16.1', 'Bupe Banda', '2026-09-16', 'School porridge')
  const stew = lunch('6.2026-09-17.1', 'Luse Banda', '2026-09-17', 'Stew')
  const move = { id, students: 382, leaving: 30, affectedOrders: [porridge, stew] }
  const last = {
    id,
    appliedAt: '2026-09-14T06:00:00.000Z',
    undoUntil: '2026-09-21T06:00:00.000Z',
    students: 382,
    leaving: 30,
  }
  beforeEach(() => {
    server = fakeServer()
    server.on(lastPromotion, { promotion: null })
    server.on(previewPromotion, move)
    server.on(applyPromotion, move)
  })

  const open = () => openConsole('/roll/year-move', adminWith('parents_students'))
  type Hands = ReturnType<typeof open>
  const press = async (user: Hands, name: string) => user.click(await screen.findByRole('button', { name }))
  const said = async (words: string | RegExp) => expect(await screen.findByText(words)).toBeInTheDocument()
  const affected = () =>
    within(screen.getByRole('region', { name: 'Lunches affected by the move' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)

  const preview = async () => {
    const user = open()
    await press(user, 'Preview')
    await said('382 children go one grade up.')
    return user
  }

  describe('the preview', () => {
    test('says who moves, who leaves, and which lunches do not fit, and changes nothing', async () => {
      await preview()
      await said('30 children of grade 12 leave: nothing more can be ordered for them.')
      await said('Classes get the name of the new grade.')
      await said('2 lunches to come do not fit the new grade')
      expect(affected()).toEqual([
        'Wednesday, 16 September 2026Bupe BandaSchool porridge',
        'Thursday, 17 September 2026Luse BandaStew',
      ])
      expect(server.asked(previewPromotion)[0]?.body).toEqual({ rename: true })
      expect(server.asked(applyPromotion)).toEqual([])
    })

    test('is asked for again where the classes keep their names', async () => {
      const user = await preview()
      await user.click(screen.getByRole('checkbox', { name: /^Rename classes too/ }))
      expect(screen.queryByText('382 children go one grade up.')).not.toBeInTheDocument()
      server.on(previewPromotion, { ...move, leaving: 0, affectedOrders: [] })
      await press(user, 'Preview')
      await said('Classes keep their names.')
      await said('All lunches to come fit the new grades.')
      expect(screen.queryByText(/of grade 12/)).not.toBeInTheDocument()
      expect(server.asked(previewPromotion)[0]?.body).toEqual({ rename: false })
    })

    test('of a school without children says so; one that fails is told', async () => {
      server.on(previewPromotion, { id, students: 0, leaving: 0, affectedOrders: [] })
      const user = open()
      await press(user, 'Preview')
      await said('There are no children at the school yet.')
      expect(screen.queryByRole('button', { name: 'Move the School Up' })).not.toBeInTheDocument()
      server.on(previewPromotion, () => {
        throw new FakeRefusal(502, null)
      })
      await press(user, 'Preview Again')
      await said('Failed to preview the year move')
    })
  })

  const askToMove = async () => {
    const user = await preview()
    await press(user, 'Move the School Up')
    return user
  }

  describe('moving up', () => {
    test('asks with what will happen, and says what was done', async () => {
      const user = await askToMove()
      const question = await screen.findByRole('dialog', { name: 'Move every child one grade up?' })
      expect(question).toHaveTextContent(
        '382 children go one grade up. 30 children of grade 12 leave: nothing more can be ordered for them. ' +
          'Classes get the name of the new grade. Lunches that were ordered stay ordered. You can undo it for 7 days.',
      )
      server.on(lastPromotion, { promotion: last })
      await press(user, 'Move Everybody Up')
      await said('Done: 382 children are one grade up, 30 left.')
      expect(server.asked(applyPromotion)[0]?.params).toEqual({ id })
      expect(affected()).toHaveLength(2)
      await said('The school was moved up on 14 September 2026')
      expect(screen.queryByRole('button', { name: 'Move the School Up' })).not.toBeInTheDocument()
    })

    test('is left by Cancel', async () => {
      const user = await askToMove()
      await press(user, 'Cancel')
      await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
      expect(server.asked(applyPromotion)).toEqual([])
    })

    test('a roll that has changed since is not moved, and it says what to do', async () => {
      server.on(applyPromotion, () => refusal(409, 'roll_changed', 'The roll has changed'))
      const user = await askToMove()
      await press(user, 'Move Everybody Up')
      await said('The roll has changed since this preview. Nothing was done.')
      server.on(previewPromotion, { ...move, students: 383 })
      await press(user, 'Preview Again')
      await said('383 children go one grade up.')
      expect(screen.queryByText(/The roll has changed/)).not.toBeInTheDocument()
    })

    test('without an answer says that it is done once at most', async () => {
      server.on(applyPromotion, () => {
        throw new TypeError('no network')
      })
      const user = await askToMove()
      await press(user, 'Move Everybody Up')
      await said('No answer came. Please try again: it is done once at most.')
    })

    test('a second time within a week says that it is one more grade', async () => {
      server.on(lastPromotion, { promotion: last })
      await askToMove()
      expect(await screen.findByRole('dialog')).toHaveTextContent(
        'The school was moved up on 14 September 2026 already: this is one more grade, and that year move can then no longer be undone.',
      )
    })
  })

  const askToUndo = async () => {
    server.on(lastPromotion, { promotion: last })
    const user = open()
    await said(/382 children went one grade up and 30 left\. It can be undone until/)
    await press(user, 'Undo the Year Move')
    return user
  }

  describe('undoing', () => {
    test('asks, and names who stays as they were edited since', async () => {
      const kept = [{ id: 9, student: 'Temwani Ngoma' }]
      server.on(undoPromotion, { students: 411, kept, affectedOrders: [stew] })
      const user = await askToUndo()
      await screen.findByRole('dialog', { name: 'Undo the year move?' })
      server.on(lastPromotion, { promotion: null })
      await press(user, 'Yes, Undo')
      await said('Undone: 411 children are as before the year move.')
      await said('1 child was edited since and stays so')
      await said('Temwani Ngoma')
      expect(affected()).toEqual(['Thursday, 17 September 2026Luse BandaStew'])
      expect(server.asked(undoPromotion)[0]?.params).toEqual({ id })
      await waitFor(() =>
        expect(screen.queryByRole('button', { name: 'Undo the Year Move' })).not.toBeInTheDocument(),
      )
    })

    test('too late is told', async () => {
      server.on(undoPromotion, () => refusal(409, 'undo_too_late', 'A year move can be undone for 7 days'))
      const user = await askToUndo()
      await press(user, 'Yes, Undo')
      await said('A year move can be undone for 7 days')
    })
  })

  test('the last year move cannot be fetched', async () => {
    server.on(lastPromotion, () => refusal(500, 'fault', 'It broke'))
    open()
    await said('Failed to fetch the last year move')
  })
})

describe('roll result', () => {
  const letter = {
    code: 'BCDFGHJK',
    link: 'https://lunch.example.org/register?code=BCDFGHJK',
    guardian: 'Mrs Banda',
    students: [{ id: 9, name: 'Luse Banda', class: '2A' }],
    expiresAt: '2027-02-21T00:00:00.000Z',
  }
  beforeEach(() => {
    server = importServer()
    server.on(portal, {
      schoolName: 'Hill School',
      timezone: 'Africa/Lusaka',
      demo: false,
      now: '2026-11-23',
    })
    server.on(
      applyRoll,
      resultOf({
        codes: [
          { ...letter, mailed: true },
          { ...letter, code: 'KMNPRSTV', mailed: false },
        ],
      }),
    )
  })

  const applied = async () => {
    const hands = await looked()
    await press(hands, 'Apply List')
    await said('2 families have a claim code now; 1 gets it by mail.')
    return hands
  }

  test('the letters with the claim codes of an import are shown and can be shown again', async () => {
    const hands = await applied()
    for (const _again of [1, 2]) {
      await press(hands, 'Print Letters')
      expect(await screen.findByText('BCDF GHJK')).toBeInTheDocument()
      await press(hands, 'Close')
      await press(hands, 'Yes, Close')
    }
  })

  test('going on without having seen the letters asks, for their codes are told nowhere else', async () => {
    const hands = await applied()
    await press(hands, 'Import Another List')
    const asked = within(await screen.findByRole('dialog', { name: 'Go on without the letters?' }))
    await hands.click(asked.getByRole('button', { name: 'Cancel' }))
    await said('The list is applied')
    await press(hands, 'Import Another List')
    await press(hands, 'Go On')
    expect(await screen.findByLabelText('CSV file')).toBeInTheDocument()
  })

  test('where no family got a code there is nothing to print', async () => {
    server.on(applyRoll, resultOf())
    const hands = await looked()
    await press(hands, 'Apply List')
    await said('1 child added')
    expect(screen.queryByRole('button', { name: 'Print Letters' })).not.toBeInTheDocument()
    await press(hands, 'Import Another List')
    expect(await screen.findByLabelText('CSV file')).toBeInTheDocument()
  })
})
