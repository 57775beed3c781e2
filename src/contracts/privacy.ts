import * as z from 'zod/mini'
import { givenPassword } from './account-fields'
import { endpoint, givenVersion, shownVersion } from './endpoint'
import { acceptedPrivacy, communicationSettings, privacyVersion } from './identity'

/** Name, email or phone of whom families ask about their data; '' for nobody. */
export const privacySettings = z.object({
  dataProtectionOfficer: z.string().check(z.trim(), z.maxLength(200)),
})

export const getPrivacySettings = endpoint('GET', '/api/settings/privacy', {
  reply: z.extend(privacySettings, shownVersion),
})

export const savePrivacySettings = endpoint('POST', '/api/settings/privacy', {
  body: z.extend(privacySettings, givenVersion),
  reply: z.extend(privacySettings, shownVersion),
})

/** Public: who keeps what for how long, and whom to ask. */
export const getPrivacy = endpoint('GET', '/api/privacy', {
  reply: z.object({
    version: z.int(),
    since: z.iso.datetime(),
    schoolName: z.string(),
    ...communicationSettings.shape,
    ...privacySettings.shape,
    sections: z.array(z.object({ title: z.string(), paragraphs: z.array(z.string()) })),
    /** What is removed automatically, and when. */
    kept: z.array(z.object({ what: z.string(), kept: z.string() })),
  }),
})

export const acceptPrivacy = endpoint('POST', '/api/user/privacy', {
  body: z.object({ version: privacyVersion }),
  reply: acceptedPrivacy,
})

/** All that is kept about the caller's family, as rows by part; `cut` names parts of which the oldest rows are left out. */
export const familyData = endpoint('POST', '/api/profile/data', {
  body: z.object({ currentPassword: givenPassword }),
  reply: z.object({
    madeAt: z.iso.datetime(),
    schoolName: z.string(),
    username: z.string(),
    cut: z.array(z.string()),
    data: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
  }),
})
