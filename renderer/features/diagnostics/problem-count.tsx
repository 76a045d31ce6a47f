/** The number of problems, for the tab of the panel. */
import { Text } from '../../ui/layout.tsx';
import { useProblems } from './problems.ts';

export function ProblemCount() {
  const count = useProblems((state) => state.listed.length);
  return count === 0 ? null : (
    <Text padX="mark" surface={4} tone={2} round="inline">
      {count.toLocaleString('en')}
    </Text>
  );
}
