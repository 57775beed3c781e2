import { screen, waitFor } from '@testing-library/react'
import { familyData } from '#contracts/privacy'
import { refusal } from './admin/fake-server'
import { freshPortal, messageOf, openPortal, press } from './open-portal'
import { parent } from './sample-family'

let server: ReturnType<typeof freshPortal>
const files: Blob[] = []
beforeEach(() => {
  server = freshPortal()
  files.length = 0
  URL.createObjectURL = (file) => `blob:${files.push(file as Blob)}`
  URL.revokeObjectURL = () => undefined
  HTMLAnchorElement.prototype.click = () => undefined
})

const file = {
  madeAt: '2026-09-14T06:00:00.000Z',
  schoolName: 'Hill School',
  username: 'mwila',
  cut: [],
  data: {},
}

test('a family downloads its data for its password, from its profile', async () => {
  const hands = openPortal('/', parent)
  await press(hands, 'View Profile')
  await press(hands, 'Download My Data')
  const password = await screen.findByLabelText('Your password')
  server.on(familyData, () =>
    refusal(422, 'wrong_current_password', 'Wrong', {
      fields: { currentPassword: 'This is not your password' },
    }),
  )
  await hands.type(password, 'wrong')
  await press(hands, 'Download')
  await waitFor(() => expect(messageOf(password)).toBe('This is not your password'))
  expect(files).toEqual([])
  server.on(familyData, file)
  await press(hands, 'Download')
  expect(await screen.findByText('Your data is downloaded')).toBeInTheDocument()
  expect(server.asked(familyData).at(-1)!.body).toEqual({ currentPassword: 'wrong' })
  expect(files.map(({ type }) => type)).toEqual(['application/json'])
  expect(screen.getByRole('button', { name: 'Download My Data' })).toBeInTheDocument()
})
