import { staffCodeSetting } from '#contracts/accounts'
import { securitySettings } from '#contracts/identity'
import { inOneRow } from '#platform/settings'

export const storedSecurity = inOneRow('identity.security', securitySettings)
export const storedStaffCode = inOneRow('identity.security', staffCodeSetting)
