import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { type AdminUser, newPassword } from '#contracts/accounts'
import type { FeatureName } from '#contracts/identity'
import { counted } from '../../lib/format'
import { notifyFailure, adminToast } from '../../lib/toast'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Switch } from '../../ui/checkbox'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { FormField } from '../../ui/form'
import { FormDialog } from '../../ui/form-dialog'
import { Icon } from '../../ui/icon'
import { changePermissions, changeStatus, givePassword, takeSecondFactor, type FeatureText } from './admins'

type AdminRowProps = { admin: AdminUser; features: readonly FeatureText[]; own: boolean }

export const AdminRow = ({ admin, features, own }: AdminRowProps) => {
  const [open, setOpen] = useState(false)
  const [changing, setChanging] = useState(false)
  const id = useId()
  return (
    <li>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2 sm:px-6">
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={() => setOpen(!open)}
          className="flex min-h-11 min-w-0 flex-1 items-center gap-3 max-sm:basis-full rounded-md text-left hover:bg-sand-50"
        >
          <Icon name={open ? 'chevron-up' : 'chevron-down'} className="text-muted" />
          <span className="min-w-0">
            <span className="flex flex-wrap items-center gap-2 font-semibold break-words">
              {admin.username}
              {own ? <Badge tone="info">You</Badge> : null}
              {admin.disabled ? <Badge tone="warning">Disabled</Badge> : null}
            </span>
            <span className="block text-sm text-muted">
              {admin.isSuperadmin ? 'Every feature' : counted(admin.allowedFeatures.length, 'feature')}
            </span>
          </span>
        </button>
        {admin.allowed.disable ? <StatusButton admin={admin} /> : null}
        {admin.allowed.removeSecondFactor ? <RemoveSecondFactor admin={admin} /> : null}
        {admin.allowed.changePassword ? (
          <Button
            variant="secondary"
            size="sm"
            icon="lock"
            className="max-sm:ml-8"
            aria-label={`Change Password of ${admin.username}`}
            onClick={() => setChanging(true)}
          >
            Change Password
          </Button>
        ) : null}
      </div>
      {open ? (
        <div id={id} className="px-4 pt-1 pb-4 sm:px-6">
          <FeatureSwitches admin={admin} features={features} own={own} />
        </div>
      ) : null}
      {changing ? <PasswordDialog user={admin} own={own} onClose={() => setChanging(false)} /> : null}
    </li>
  )
}

const StatusButton = ({ admin }: { admin: AdminUser }) => {
  const [asked, setAsked] = useState(false)
  const changing = useMutation(changeStatus)
  const word = admin.disabled ? 'Enable' : 'Disable'
  const change = () =>
    changing.mutate(
      { params: { id: admin.id }, body: { disabled: !admin.disabled, version: admin.version } },
      {
        onSuccess: () =>
          adminToast({ title: admin.disabled ? 'Administrator enabled' : 'Administrator disabled' }),
        onError: (error) => notifyFailure(error, `Failed to ${word.toLowerCase()} the administrator`),
        onSettled: () => setAsked(false),
      },
    )
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        className="max-sm:ml-8"
        aria-label={`${word} ${admin.username}`}
        busy={changing.isPending && !asked}
        onClick={() => (admin.disabled ? change() : setAsked(true))}
      >
        {word}
      </Button>
      <ConfirmDialog
        open={asked}
        title={`Disable ${admin.username}?`}
        confirm="Disable"
        busy={changing.isPending}
        onConfirm={change}
        onClose={() => setAsked(false)}
      >
        They are logged out everywhere at once and cannot log in until somebody enables them again.
      </ConfirmDialog>
    </>
  )
}

/** For an administrator who lost theirs. */
const RemoveSecondFactor = ({ admin }: { admin: AdminUser }) => {
  const [asked, setAsked] = useState(false)
  const removing = useMutation(takeSecondFactor)
  const remove = () =>
    removing.mutate(
      { params: { id: admin.id } },
      {
        onSuccess: () => adminToast({ title: 'Second factor removed' }),
        onError: (error) => notifyFailure(error, 'Failed to remove the second factor'),
        onSettled: () => setAsked(false),
      },
    )
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        className="max-sm:ml-8"
        aria-label={`Remove second factor of ${admin.username}`}
        onClick={() => setAsked(true)}
      >
        Remove Second Factor
      </Button>
      <ConfirmDialog
        open={asked}
        title={`Remove the second factor of ${admin.username}?`}
        confirm="Remove"
        busy={removing.isPending}
        onConfirm={remove}
        onClose={() => setAsked(false)}
      >
        They log in with their password alone until they set up another one. Make sure that they asked for it
        themselves.
      </ConfirmDialog>
    </>
  )
}

const FeatureSwitches = ({ admin, features, own }: AdminRowProps) => {
  const changing = useMutation(changePermissions)
  const toggle = (feature: FeatureName, on: boolean) =>
    changing.mutate(
      {
        id: admin.id,
        ...(on ? { add: [feature] } : { remove: [feature] }),
      },
      { onError: (error) => notifyFailure(error, 'Failed to update permissions') },
    )
  return (
    <>
      <p className="mb-2 text-sm text-muted">{wordsOf(admin, own)}</p>
      <div className="grid gap-x-6 sm:grid-cols-2 xl:grid-cols-3">
        {features.map(({ key, label }) => (
          <Switch
            key={key}
            label={label}
            checked={admin.allowedFeatures.includes(key)}
            disabled={!admin.allowed.features.includes(key)}
            onChange={(on) => toggle(key, on)}
          />
        ))}
      </div>
    </>
  )
}

const wordsOf = (admin: AdminUser, own: boolean) => {
  if (admin.isSuperadmin) return 'superadmin always holds every feature.'
  if (own) return 'You cannot modify your own permissions. Contact another admin for permission changes.'
  return 'Changes apply at once. You can switch the features that you hold yourself.'
}

type PasswordDialogProps = { user: { id: number; username: string }; own: boolean; onClose: () => void }

const PasswordDialog = ({ user, own, onClose }: PasswordDialogProps) => {
  const giving = useMutation(givePassword)
  return (
    <FormDialog
      title="Change Password"
      description={
        own
          ? 'Your old password stops working, and you are logged out everywhere else.'
          : `The old password of ${user.username} stops working, and they are logged out everywhere.`
      }
      className="flex flex-col gap-4"
      submit="Change Password"
      busyLabel="Saving..."
      schema={newPassword}
      defaultValues={own ? { currentPassword: '', password: '' } : { password: '' }}
      onSave={(body) => giving.mutateAsync({ params: { id: user.id }, body })}
      done="Password updated successfully"
      failed="Failed to update password"
      onClose={onClose}
    >
      {own ? (
        <FormField
          name="currentPassword"
          label="Current Password"
          type="password"
          autoComplete="current-password"
          maxLength={200}
        />
      ) : null}
      <FormField
        name="password"
        label="New Password"
        type="password"
        autoComplete="new-password"
        maxLength={200}
      />
    </FormDialog>
  )
}
