/** The number of errors and warnings in the project, for the tab of the panel. */
import { Text } from '../../ui/layout.tsx';
import { countProblems, useProblems } from './problems.ts';

export function ProblemCount() {
  const count = useProblems(({ listed }) => {
    const { error, warning } = countProblems(listed);
    return error + warning;
  });
  return count === 0 ? null : (
    <Text padX="mark" surface={4} tone={2} round="inline">
      {count.toLocaleString('en')}
    </Text>
  );
}
