import { createHash } from 'node:crypto'
import type { ReplyOf } from '#contracts/endpoint'
import type { User } from '#contracts/identity'
import { getPrivacy } from '#contracts/privacy'
import type { IdentityNeeds } from '../ports'
import { refuse } from '../refusals'
import { privacyNotice, type Notice } from './notice.decide'

type Version = { version: number; fingerprint: string; since: Date }

/** Numbered from 1. Other words get the next number, words that stood before get theirs back. */
export const currentNotice = async (needs: IdentityNeeds): Promise<ReplyOf<typeof getPrivacy>> => {
  const { schoolName } = needs
  const [contact, settings] = await Promise.all([
    needs.messaging.contact(),
    needs.messaging.privacyContact.read(needs.database.knex),
  ])
  const kept = needs
    .retentions()
    .flatMap(({ about, kept }) => (about === undefined ? [] : [{ what: about, kept }]))
  const notice = privacyNotice({ schoolName, ...contact, ...settings, kept })
  const fingerprint = fingerprintOf(notice)
  const versions = () => needs.database.knex<Version>('identity.privacy_versions')
  const known = () => versions().where({ fingerprint }).first('version', 'since')
  let found = await known()
  if (!found) {
    await versions()
      .insert({ fingerprint, since: needs.now(), notice: JSON.stringify(notice) } as Partial<Version>)
      .onConflict('fingerprint')
      .ignore()
    found = await known()
  }
  return { ...notice, version: found!.version, since: found!.since.toISOString() }
}

/** Equal for equal words; the office's email and phone may change without anybody being asked again. */
const fingerprintOf = ({
  schoolName,
  dataProtectionOfficer,
  sections,
  kept,
}: Omit<Notice, 'supportEmail' | 'whatsappNumber'>): string =>
  createHash('sha256')
    .update(JSON.stringify({ schoolName, dataProtectionOfficer, sections, kept }))
    .digest('base64url')

/** What the account keeps of accepting `version`. Throws `privacy_changed` unless it is the current one. */
export const acceptance = async (
  needs: IdentityNeeds,
  version: number,
): Promise<{ privacyVersion: number; privacyAcceptedAt: Date }> => {
  const { version: current } = await currentNotice(needs)
  if (version !== current)
    throw refuse('privacy_changed', 'Our privacy notice has changed. Please read it, and accept it again.', {
      extra: { current },
    })
  return { privacyVersion: version, privacyAcceptedAt: needs.now() }
}

export const privacyOf = async (
  needs: IdentityNeeds,
  { privacyVersion: accepted }: { privacyVersion: number | null },
): Promise<User['privacy']> => ({ accepted, current: (await currentNotice(needs)).version })
