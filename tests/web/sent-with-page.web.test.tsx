import { screen } from '@testing-library/react'
import { listMenu } from '#contracts/catalogue'
import { currentUser, login, portal } from '#contracts/identity'
import { schoolNow, setSchoolNow, setSchoolZone } from '../../web/lib/school-moment'
import { takePreloaded } from '../../web/lib/preloaded-data'
import type { FakeServer } from './admin/fake-server'
import { freshPortal, openPortal } from './open-portal'
import { parent } from './sample-family'

let server: FakeServer
beforeEach(() => {
  server = freshPortal()
  server.on(currentUser, () => Promise.reject(new Error('Nobody asks for the user')))
  server.on(portal, () => Promise.reject(new Error('Nobody asks for the school')))
})
afterEach(() => {
  document.getElementById('sent')?.remove()
  setSchoolZone('Africa/Lusaka')
  setSchoolNow(new Date().toISOString())
})

const school = {
  schoolName: 'Hill School',
  timezone: 'Asia/Tokyo',
  demo: false,
  now: '2031-05-06T05:05:00.000Z',
}

/** Puts these replies into the page, as the server does. */
const send = (replies: Record<string, unknown>) => {
  const block = document.createElement('script')
  block.type = 'application/json'
  block.id = 'sent'
  block.textContent = JSON.stringify(replies)
  document.body.append(block)
}

test('whom the page names is not asked for, and what time it is is known', async () => {
  send({ '/api/user': parent, '/api/portal': school })
  openPortal()
  expect(await screen.findByText('Welcome, mwila')).toBeInTheDocument()
  expect(server.asked(currentUser)).toHaveLength(0)
  expect(server.asked(portal)).toHaveLength(0)
  expect(schoolNow()).toMatch(/^2031-05-06T05:05:/)
})

test('a page that names nobody leads to the way in, without asking', async () => {
  send({ '/api/user': null, '/api/portal': school })
  openPortal()
  expect(await screen.findByRole('button', { name: 'Login to Portal' })).toBeInTheDocument()
  expect(screen.getByText('School lunches from Hill School')).toBeInTheDocument()
  expect(server.asked(currentUser)).toHaveLength(0)
  expect(server.asked(portal)).toHaveLength(0)
})

test('what came stays in no page, and is had once', () => {
  send({ '/api/menu': [], '/api/user': { id: 'of another shape' } })
  expect(takePreloaded(listMenu)).toEqual([])
  expect(document.getElementById('sent')).toBeNull()
  expect(takePreloaded(listMenu)).toBeUndefined()
  expect(takePreloaded(currentUser)).toBeUndefined()
})

test('what came for one is not for whoever signs in after them', async () => {
  send({ '/api/user': null, '/api/portal': school, '/api/menu': [] })
  server.on(login, parent)
  const hands = openPortal()
  await hands.type(await screen.findByLabelText('Username'), 'mwila')
  await hands.type(screen.getByLabelText('Password'), 'secret1')
  await hands.click(screen.getByRole('button', { name: 'Login to Portal' }))
  expect(await screen.findByText('Welcome, mwila')).toBeInTheDocument()
  expect(takePreloaded(listMenu)).toBeUndefined()
})
