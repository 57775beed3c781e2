import { screen, waitFor } from '@testing-library/react'
import { getSecurity } from '#contracts/identity'
import { getStaffCode, saveStaffCode } from '#contracts/accounts'
import { freshPortal, messageOf, openPortal, press } from '../open-portal'
import { adminWith, forgetToasts } from './open-console'

afterEach(forgetToasts)

const said = async (text: string) => expect(await screen.findByText(text)).toBeInTheDocument()

test('saves the staff code, which is long enough or none', async () => {
  const server = freshPortal()
  server.on(getSecurity, { requireSecondFactor: false, maxChildren: 12, maxUnpaidMeals: 40 })
  server.on(getStaffCode, { staffCode: '' })
  server.on(saveStaffCode, ({ body }) => body as { staffCode: string })
  const hands = openPortal('/settings?tab=security', adminWith('settings'))
  const field = await screen.findByLabelText('Staff code')
  await hands.type(field, 'short')
  await press(hands, 'Save Staff Code')
  await waitFor(() => expect(messageOf(field)).toBe('A staff code has at least 6 characters'))
  await hands.type(field, ' and long')
  await press(hands, 'Save Staff Code')
  await said('Staff code saved')
  expect(server.asked(saveStaffCode).map(({ body }) => body)).toEqual([{ staffCode: 'short and long' }])
  await hands.clear(field)
  await press(hands, 'Save Staff Code')
  await said('No staff code is taken any more')
})
