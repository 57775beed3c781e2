import { currentUser, register, saveCommunication } from '#contracts/identity'
import { acceptPrivacy, getPrivacy, savePrivacySettings } from '#contracts/privacy'
import type { Client } from '../../src/app/demo/client'
import { type IdentityServer, startIdentity } from './identity-server'
import { parent, refusal, signedIn } from './people'

describe('the privacy notice', () => {
  let school: IdentityServer
  let office: Client
  beforeAll(async () => {
    school = await startIdentity({ superadminPassword: 'superadmin-secret' })
    await school.identity.ensureSuperadmin()
    office = await signedIn(school, 'superadmin')
  })
  afterAll(() => school.close())

  const setOfficer = (dataProtectionOfficer: string) =>
    office.call(savePrivacySettings, { body: { dataProtectionOfficer } })
  const notice = () => school.visitor().call(getPrivacy)
  const registered = (username: string, privacyVersion?: number) =>
    school.visitor().call(register, {
      body: { username, password: `${username}-secret`, name: username, privacyVersion },
    })

  test('tells strangers who keeps what, whom to ask, and the periods of what removes it', async () => {
    await office.call(saveCommunication, { body: { supportEmail: 'a@example.com', whatsappNumber: '097' } })
    await setOfficer('Mrs Tembo')
    const shown = await notice()
    expect(shown).toMatchObject({
      schoolName: 'Baobab School',
      supportEmail: 'a@example.com',
      whatsappNumber: '097',
      dataProtectionOfficer: 'Mrs Tembo',
    })
    const ofPeople = school.messaging.retentions!.filter(({ about }) => about !== undefined)
    expect(shown.kept).toEqual(ofPeople.map(({ about, kept }) => ({ what: about, kept })))
    expect(shown.kept.length).toBeGreaterThan(0)
  })

  test('has a new version for other words, the old one again for the old words, and none for another phone', async () => {
    const { version } = await notice()
    await office.call(saveCommunication, { body: { supportEmail: '', whatsappNumber: '096' } })
    expect((await notice()).version).toBe(version)
    await setOfficer('Mr Phiri')
    expect((await notice()).version).toBeGreaterThan(version)
    await setOfficer('Mrs Tembo')
    expect((await notice()).version).toBe(version)
  })

  test('is accepted at registration; an account made without it accepted none', async () => {
    const { version } = await notice()
    expect((await registered('reader', version)).privacy).toEqual({ accepted: version, current: version })
    expect((await registered('hasty')).privacy).toEqual({ accepted: null, current: version })
  })

  test('of another version than the current one is refused with it, and no account is made', async () => {
    const { version: current } = await notice()
    await setOfficer('Dr Mwale')
    const { version: later } = await notice()
    for (const other of [999, current])
      await expect(registered('sly', other)).rejects.toEqual(
        refusal(409, 'privacy_changed', { current: later }),
      )
    expect((await registered('sly', later)).privacy.accepted).toBe(later)
  })

  test('that came later is accepted by an act of its own, which may be repeated', async () => {
    const { client } = await parent(school, 'later')
    await setOfficer('Miss Zulu')
    const { current } = (await client.call(currentUser)).privacy
    for (let turn = 0; turn < 2; turn += 1)
      expect(await client.call(acceptPrivacy, { body: { version: current } })).toEqual({
        accepted: current,
        current,
      })
    expect((await client.call(currentUser)).privacy).toEqual({ accepted: current, current })
    await expect(client.call(acceptPrivacy, { body: { version: 999 } })).rejects.toEqual(
      refusal(409, 'privacy_changed', { current }),
    )
  })
})
