# Shared by isobench-suite.ps1 and isobench-compare.ps1, which dot-source it after lib.ps1: their command lines, and the
# isobench that they run.

# Takes --name=value and --name value into $options, whose keys are the names that there are (a value that is a list gets
# one more), and --name into $switches. Prints $usage for --help, and ends there. Returns the other words.
function Read-Options([string[]]$words, [hashtable]$options, [hashtable]$switches, [string]$usage) {
    for ($i = 0; $i -lt $words.Count; $i++) {
        $name, $value = $words[$i] -split '=', 2
        if ($options.ContainsKey($name)) {
            if ($null -eq $value -and $i + 1 -lt $words.Count) {
                $i += 1
                $value = $words[$i]
            }
            if ([string]::IsNullOrEmpty($value)) {
                Stop-Usage "$name needs a value"
            }
            if ($options[$name] -is [array]) {
                $options[$name] += $value
            } else {
                $options[$name] = $value
            }
        } elseif ($switches.ContainsKey($words[$i])) {
            $switches[$words[$i]] = $true
        } elseif ($words[$i] -eq '--help' -or $words[$i] -eq '-h') {
            Write-Host $usage
            exit 0
        } elseif ($words[$i].StartsWith('-')) {
            Stop-Usage "unknown option $($words[$i])"
        } else {
            Write-Output $words[$i]
        }
    }
}

# The one that was asked for, else the build's, else the one in PATH.
function Find-Program([string]$asked) {
    if ($asked -ne '') {
        return $asked
    }
    $built = Join-Path $root 'build\msvc\bin\isobench.exe'
    if (Test-Path -PathType Leaf -LiteralPath $built) {
        return $built
    }
    return 'isobench'
}
