import { useQueryClient } from '@tanstack/react-query'
import { appUserApi } from '../../contract/users.ts'

/** A function that reads a club's team again after a refusal, because what is shown may be out of date. */
export function useReadTeamAgain(): () => void {
  const client = useQueryClient()
  return () => void client.invalidateQueries({ queryKey: [appUserApi.getAppUsers.path] })
}
