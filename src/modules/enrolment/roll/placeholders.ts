import { foldedName } from '#kernel/folded-name'
import { internationalPhone } from '#kernel/phone-number'

const noWords = new Set(
  (
    'na none nil nill null no unknown undefined nan missing blank empty pending tba tbc tbd test testing dummy fake sample example ' +
    'notavailable notapplicable notgiven notprovided notknown noemail nomail nophone nonumber nocontact noname noreply donotreply ' +
    'nobody noone noaddress donthave dontknow anonymous placeholder'
  ).split(' '),
)

const bare = (text: string): string => foldedName(text).replaceAll(/[^\p{L}\p{N}]/gu, '')

/** `n/a`, `-`, `nil`, `xxx`. */
export const isPlaceholder = (text: string): boolean => {
  const word = bare(text)
  return text !== '' && (word === '' || noWords.has(word) || /^xx+$/.test(word))
}

/** `none@none.com`, `test@test.com`, `a@a.a`. */
export const isPlaceholderEmail = (email: string): boolean => {
  if (isPlaceholder(email)) return true
  const [local = '', domain = ''] = email.split('@')
  if (domain === '') return false
  const [label = ''] = domain.split('.')
  const words = new Set([
    'none',
    'noemail',
    'nomail',
    'unknown',
    'nil',
    'null',
    'na',
    'invalid',
    'dummy',
    'fake',
    'test',
    'nowhere',
    'noaddress',
  ])
  const word = bare(local).replace(/(?<=\p{L}{4})\d+$/u, '')
  return (
    isPlaceholder(local) ||
    isPlaceholder(word) ||
    words.has(bare(label)) ||
    bare(local) === bare(label) ||
    /^(\w)\1+$/.test(local)
  )
}

/** `0000000000`, `0999999999`, `123456789`, `n/a`. */
export const isPlaceholderPhone = (phone: string): boolean => {
  if (isPlaceholder(phone)) return true
  if (/\p{L}/u.test(phone)) return false
  const digits = (internationalPhone(phone) ?? phone).replaceAll(/\D/g, '').replace(/^260(?=\d{9}$)/, '')
  return /^(\d)\1*$/.test(digits) || /(\d)\1{6}$/.test(digits) || isSequence(digits)
}

const isSequence = (digits: string): boolean =>
  digits.length >= 6 && ['01234567890', '09876543210'].some((sequence) => sequence.includes(digits))

const roles = new Set(
  'mother father mum mom mummy dad daddy parent parents guardian aunt auntie uncle grandmother grandfather granny brother sister'.split(
    ' ',
  ),
)

/** A placeholder, or a role such as "mother". */
export const isUnnamed = (guardian: string): boolean => isPlaceholder(guardian) || roles.has(bare(guardian))
