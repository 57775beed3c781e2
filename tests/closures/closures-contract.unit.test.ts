import {
  closeDays,
  cycleDays,
  getClosure,
  listClosures,
  previewClosure,
  undoClosure,
} from '#contracts/closures'
import { previewCycle } from '#contracts/cycles'

const body = { dates: ['2026-09-16'], reason: 'Public holiday', remedy: 'refund' }
const isTaken = (changed: object) => closeDays.body.safeParse({ ...body, ...changed }).success

describe('what is sent to close days', () => {
  test('has dates, a reason and how the money goes back', () => {
    expect(isTaken({})).toBe(true)
    expect(isTaken({ remedy: 'credit' })).toBe(true)
    expect(isTaken({ remedy: 'voucher' })).toBe(false)
    expect(isTaken({ dates: [] })).toBe(false)
    expect(isTaken({ dates: ['16 September'] })).toBe(false)
  })

  test('has a reason of 3 to 200 characters, spaces around it not counted', () => {
    expect(isTaken({ reason: 'sun' })).toBe(true)
    expect(isTaken({ reason: ' no ' })).toBe(false)
    expect(isTaken({ reason: 'x'.repeat(200) })).toBe(true)
    expect(isTaken({ reason: 'x'.repeat(201) })).toBe(false)
  })
})

test('the calls about closures stand at the addresses that the specification gives them', () => {
  const calls = [cycleDays, previewClosure, closeDays, getClosure, undoClosure, listClosures, previewCycle]
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /api/order-cycles/:id/days',
    'POST /api/order-cycles/:id/closures/preview',
    'POST /api/order-cycles/:id/closures',
    'GET /api/closures/:id',
    'POST /api/closures/:id/undo',
    'GET /api/closures',
    'POST /api/order-cycles/preview',
  ])
})
