import { screen } from '@testing-library/react'
import { notCollected } from '#contracts/serving'
import { press } from '../open-portal'
import {
  atAFreshDevice,
  leaveTheDevice,
  chipo,
  cut,
  grace,
  type HatchServer,
  hatchServer,
  lunch,
  mutale,
  rowOf,
  said,
  shownNames,
  today,
} from './hatch-words'
import { openConsole } from './open-console'

let server: HatchServer
beforeEach(async () => {
  server = await atAFreshDevice()
})
afterEach(leaveTheDevice)

describe('which lunches are shown', () => {
  test('those still to come, or all; of one class; of a child', async () => {
    server = hatchServer(
      {
        ...chipo,
        mark: {
          markId: '00000000-0000-4000-8000-000000000002',
          kind: 'given',
          at: `${today}T09:30:00Z`,
          by: 'mary',
          note: null,
        },
      },
      mutale,
      lunch(3, 'Náta Zulu', { class: '5 Red', grade: '5' }),
      lunch(4, 'Ill Child', { absent: true }),
    )
    const hands = openConsole('/serve', grace)
    await screen.findByText('Mutale Mwansa')
    expect(shownNames()).toEqual(['Mutale Mwansa', 'Náta Zulu'])
    await press(hands, 'All (4)')
    expect((await rowOf('Chipo Banda')).getByText('Given by mary at 11:30')).toBeInTheDocument()
    expect(shownNames()).toHaveLength(4)
    await hands.selectOptions(screen.getByLabelText('Class'), '5 Red')
    expect(shownNames()).toEqual(['Náta Zulu'])
    await hands.selectOptions(screen.getByLabelText('Class'), 'All classes')
    await hands.type(screen.getByLabelText('Find a child'), 'zulu nata')
    expect(shownNames()).toEqual(['Náta Zulu'])
    await hands.type(screen.getByLabelText('Find a child'), 'x')
    await said('No lunch here')
  })

  test('before 14:00 nobody is told what was not collected', async () => {
    openConsole('/serve', grace)
    await screen.findByText('Mutale Mwansa')
    expect(screen.queryByRole('button', { name: /^Not collected/ })).not.toBeInTheDocument()
  })

  test.each([
    ['as the server says', false],
    ['as this device knows without a connection', true],
  ])('from 14:00 those not collected today, %s', async (_how, isCut) => {
    jest.setSystemTime(new Date(`${today}T12:00:00.000Z`))
    const absent = {
      ...mutale,
      mark: {
        markId: '00000000-0000-4000-8000-000000000001',
        kind: 'absent' as const,
        at: `${today}T09:30:00Z`,
        by: 'mary',
        note: null,
      },
    }
    const given = {
      ...chipo,
      mark: { ...absent.mark, markId: '00000000-0000-4000-8000-000000000002', kind: 'given' as const },
    }
    server = hatchServer(given, absent)
    server.on(notCollected, { date: today, at: null, classes: [{ class: 'Grade 4', lunches: [absent] }] })
    const hands = openConsole('/serve', grace)
    const button = await screen.findByRole('button', { name: 'Not collected today (1)' })
    if (isCut) cut(true)
    await hands.click(button)
    expect(shownNames()).toEqual(['Mutale Mwansa'])
    expect(server.asked(notCollected)).toHaveLength(isCut ? 0 : 1)
  })
})
